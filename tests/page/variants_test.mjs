// The variants: the same measurements, made by the command line, give the same numbers.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {closePage, headOf, inScratch, numbers, openPage, percent, run, tableOf} from './browser.mjs';

const openVariants = () => openPage({at: '#variants'});

test('overfilled, each fixed kind has the rate that the tool measures', async () => {
  const page = await openVariants();
  await page.fill('#overfill-n', '500');
  await page.fill('#overfill-p', '0.02');
  await page.click('#overfill-run');
  const rows = Object.fromEntries((await tableOf(page, 'overfill')).map(([load, ...cells]) => [load, cells]));
  const kinds = (await headOf(page, 'overfill')).slice(1);
  assert.deepEqual(kinds, ['classic', 'blocked', 'counting', 'growing']);
  for (const kind of kinds.filter((name) => name !== 'growing')) {
    const path = inScratch(`${kind}.blm`);
    run(['build', '-q', '-o', path, '--kind', kind, '--expected', '500', '--fpr', '0.02'], numbers(1, 500));
    const measured = () => percent(Number(run(['check', '-c', path], numbers(1_000_000_000, 20_000))) / 20_000);
    assert.equal(rows['1 × n'][kinds.indexOf(kind)], measured());
    run(['insert', '-q', path], numbers(501, 2000));
    assert.equal(rows['5 × n'][kinds.indexOf(kind)], measured());
  }
  const growing = kinds.indexOf('growing');
  assert.ok(parseFloat(rows['10 × n'][growing]) < 3, 'a growing filter keeps its promise');
  assert.ok(parseFloat(rows['10 × n'][0]) > 50, 'a fixed one does not');
  await page.fill('#overfill-n', '1');
  await page.click('#overfill-run');
  assert.match(await page.innerText('main'), /n from 10 to 100000/);
  await closePage(page);
});

test('deleting breaks a plain filter and not a counting one', async () => {
  const page = await openVariants();
  let broken = 0;
  for (const item of ['apple', 'kiwi', 'peach']) {
    await page.selectOption('#delete-item', item);
    const rows = await tableOf(page, 'deleted');
    assert.equal(rows.length, 7);
    for (const [name, plain, counting] of rows) {
      if (name.startsWith(item)) continue;
      broken += plain.includes('FALSE');
      assert.match(counting, /possibly yes/);
    }
  }
  assert.ok(broken > 0, 'no example shows the harm');
  await closePage(page);
});

test('a union has the bits of the filter of both; other shapes are refused', async () => {
  const page = await openVariants();
  assert.match(await page.innerText('#merge-verdict'), /Bit for bit/);
  await page.fill('#merge-a', 'one, two, three');
  assert.match(await page.innerText('#merge-verdict'), /Bit for bit/);
  await page.selectOption('#merge-cells', '65');
  assert.match(await page.innerText('#merge-verdict'), /Refused: .*64 and 65/);
  await closePage(page);
});

test('with h2 = 0 the article’s rule has one cell, the mixed rule seven', async () => {
  const page = await openVariants();
  const rows = await tableOf(page, 'zero');
  assert.deepEqual(rows.map((row) => row[2]), ['7', '1', '7']);
  const [, zero] = rows.map((row) => parseFloat(row[4]));
  const onlyOneHash = 100 * (1 - Math.exp(-200 / 2048));
  assert.ok(Math.abs(zero - onlyOneHash) < 2.5, `${zero}% is not the rate of one hash, ${onlyOneHash}%`);
  await closePage(page);
});
