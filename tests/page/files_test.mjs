// Files go both ways between the tool and the page.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {act, atOnce, closePage, fact, inScratch, numbers, openPage, percent, run, runJson, saved, short, type} from './browser.mjs';

const openFiles = () => openPage({at: '#files'});

for (const kind of ['classic', 'blocked', 'exact', 'counting']) {
  test(`a ${kind} file of the tool: facts and answers`, async () => {
    const path = inScratch(`tool_${kind}.blm`);
    const plan = kind === 'exact' ? [] : ['--expected', '3000', '--fpr', '0.03'];
    run(['build', '-q', '-o', path, '--kind', kind, ...plan], numbers(1, 3000));
    const page = await openFiles();
    await page.setInputFiles('#file', path);
    await page.waitForSelector('#file-facts');
    const info = runJson(['info', path]);
    const withoutCommas = async (name) => (await fact(page, name)).replaceAll(',', '');
    assert.equal(await fact(page, 'kind'), info.kind);
    assert.equal(await withoutCommas('inserted'), String(info.keys_inserted));
    assert.equal(await withoutCommas('offered'), String(info.keys_offered));
    assert.equal(await withoutCommas('bytes'), String(info.file_bytes));
    assert.equal(await withoutCommas('estimated'), info.estimated_keys === null ? '-' : String(Math.round(info.estimated_keys)));
    assert.equal(await fact(page, 'fpr'), short(info.current_fpr, 3));
    assert.equal(await fact(page, 'expected'), short(info.expected_fpr, 3));
    const fill = kind === 'exact' ? '-' : `${Number((100 * info.fill_ratio).toPrecision(4))}%`;
    assert.equal(await fact(page, 'fill'), fill);
    const maybes = new Set(run(['check', path], numbers(2995, 40)).split('\n'));
    const items = Array.from({length: 40}, (_, i) => String(2995 + i));
    const answers = await type(page, items.map((item) => ['file-item', item]), ['file-answer']);
    items.forEach((item, i) => assert.match(answers[i][0], maybes.has(item) ? /possibly yes/ : /definitely no/, item));
    if (kind !== 'exact') assert.equal(await page.$$eval('canvas', (all) => all.length), 1);
    await closePage(page);
  });
}

test('a file can be dropped', async () => {
  const path = inScratch('dropped.blm');
  run(['build', '-q', '-o', path, '--expected', '100', '--fpr', '0.01'], numbers(1, 100));
  const page = await openFiles();
  const data = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.blm'));
    return transfer;
  }, [...readFileSync(path)]);
  await page.dispatchEvent('.drop', 'drop', {dataTransfer: data});
  await page.waitForSelector('#file-facts');
  assert.equal(await fact(page, 'file'), 'dropped.blm');
  assert.equal(await fact(page, 'inserted'), '100');
  await closePage(page);
});

test('what is no filter, or a damaged one, is refused in words; the page goes on', async () => {
  const page = await openFiles();
  await page.setInputFiles('#file', inScratch('text.blm', 'this is no filter'));
  await page.waitForFunction(() => /text\.blm: .*filter/.test(document.getElementById('file-problem').innerText));
  const path = inScratch('good.blm');
  run(['build', '-q', '-o', path, '--expected', '1000', '--fpr', '0.01'], numbers(1, 1000));
  const bytes = readFileSync(path);
  bytes[bytes.length - 5] ^= 1;
  await page.setInputFiles('#file', inScratch('damaged.blm', bytes));
  await page.waitForFunction(() => /damaged\.blm/.test(document.getElementById('file-problem').innerText));
  await page.setInputFiles('#file', path);
  await page.waitForSelector('#file-facts');
  assert.ok(await page.isHidden('#file-problem'));
  await closePage(page);
});

test('what the page saves, the tool opens', async () => {
  const page = await openPage({at: '#array?layout=blocked&m=1024&k=4'});
  await atOnce(page);
  for (const item of ['red', 'green', 'blue']) await act(page, 'add', item);
  const fill = await fact(page, 'fill');
  const path = await saved(page);
  assert.match(run(['verify', path]), /OK/);
  const info = runJson(['info', path]);
  assert.equal(info.kind, 'blocked');
  assert.equal(info.keys_inserted, 3);
  assert.equal(parseFloat(fill), Number((100 * info.fill_ratio).toPrecision(4)));
  assert.equal(run(['check', path], 'red\ngreen\nblue\nblack and white\n'), 'red\ngreen\nblue\n');
  await closePage(page);
});
