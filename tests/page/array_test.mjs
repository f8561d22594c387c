// The array view: what it shows is what the layouts define and what the command line computes.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {act, atOnce, closePage, fact, inScratch, lines, numbers, openPage, percent, run, runJson, saved, scratch, short} from './browser.mjs';

const FRUITS = ['apple', 'banana', 'orange', 'grape', 'kiwi', 'mango', 'peach', 'pear', 'plum', 'cherry'];

async function choose(page, {layout = 'classic', hash, m, k}) {
  await page.selectOption('#layout', layout);
  if (hash) await page.selectOption('#hash', hash);
  for (const [name, value] of [['m', m], ['k', k]]) {
    await page.fill(`#${name}`, String(value));
    await page.press(`#${name}`, 'Tab');
  }
}

// A file of the tool's with the same settings and items.
function built(name, {kind = 'classic', hash, bits, hashes}, text) {
  const path = inScratch(name);
  run(['build', '-q', '-o', path, '--kind', kind, ...(hash ? ['--hash', hash] : []), '--bits', String(bits), '--hashes', String(hashes)], text);
  return path;
}

test('the fruits, and why watermelon is a false positive', async () => {
  const page = await openPage();
  await atOnce(page);
  await page.click('#example-fruits');
  await page.click('#check');
  assert.match(await page.innerText('#verdict'), /Possibly yes.*watermelon.*never added: a false positive/);
  const tools = built('fruits.blm', {hash: 'murmur3', bits: 20, hashes: 2}, lines(FRUITS));
  const info = runJson(['info', tools]);
  assert.equal(await fact(page, 'fill'), percent(info.fill_ratio));
  assert.equal(await fact(page, 'fpr'), short(info.current_fpr));
  assert.equal(await fact(page, 'items'), String(info.keys_offered));
  assert.equal(run(['check', tools], 'watermelon\n'), 'watermelon\n');
  const blamed = await page.$$eval('#blame li', (items) => items.map((item) => item.innerText));
  assert.equal(blamed.length, 2);
  for (const line of blamed) assert.match(line, new RegExp(`^Cell \\d+ was set by (${FRUITS.join('|')})`));
  assert.equal(await fact(page, 'false-positives'), '1');
  assert.deepEqual(readFileSync(await saved(page)), readFileSync(tools));
  await closePage(page);
});

for (const settings of [{layout: 'classic', hash: 'xxh3', m: 64, k: 3}, {layout: 'classic', hash: 'murmur3', m: 100, k: 5},
                        {layout: 'classic', hash: 'siphash', m: 64, k: 3},
                        {layout: 'blocked', m: 2048, k: 6}, {layout: 'blocked', hash: 'aes', m: 2048, k: 6}, {layout: 'counting', m: 64, k: 3}]) {
  test(`positions and their arithmetic: ${settings.layout} ${settings.hash ?? ''}`, async () => {
    const page = await openPage();
    await choose(page, settings);
    await atOnce(page);
    assert.match(await act(page, 'add', 'fig'), /Added “fig”: it was new/);
    const steps = await page.$$eval('#steps li', (items) => items.map((item) => [item.dataset.cell, item.querySelector('.arithmetic').innerText]));
    assert.equal(steps.length, settings.k);
    for (const [cell, text] of steps) assert.ok(text.endsWith(`= ${cell}`), `${text}: the engine says ${cell}`);
    assert.match(await act(page, 'check', 'fig'), /Possibly yes. And it was added/);
    assert.match(await act(page, 'check', 'no such fruit'), /Definitely no/);
    assert.equal((await page.$$('#steps li.is-zero')).length, 1);
    await closePage(page);
  });
}

test('a hash with a secret key: another key, other cells; the address has it', async () => {
  const page = await openPage();
  await atOnce(page);
  await choose(page, {layout: 'blocked', hash: 'siphash', m: 1024, k: 4});
  await act(page, 'check', 'fig');
  const cells = () => page.$$eval('#steps li', (items) => items.map((item) => item.dataset.cell).join());
  const before = await cells();
  const secret = 'fedcba98765432100123456789ABCDEF';
  await page.fill('#key', secret);
  await page.press('#key', 'Tab');
  await act(page, 'check', 'fig');
  assert.notEqual(await cells(), before);
  for (const fruit of FRUITS) await act(page, 'add', fruit);
  assert.match(page.url(), new RegExp(`key=${secret.toLowerCase()}`));
  const other = await openPage({at: new URL(page.url()).hash});
  assert.equal(await other.inputValue('#key'), secret.toLowerCase());
  await closePage(other);
  await page.selectOption('#layout', 'classic');
  await page.selectOption('#hash', 'xxh3');
  assert.ok(await page.isHidden('#key'));
  await closePage(page);
});

test('the file of a filter with a secret key is the tool’s', async () => {
  const page = await openPage({at: '#array?layout=blocked&hash=siphash&m=1024&k=4&key=fedcba98765432100123456789abcdef'});
  await atOnce(page);
  for (const fruit of FRUITS) await act(page, 'add', fruit);
  const key = inScratch('key');
  const tools = inScratch('secret.blm');
  const saves = await saved(page);
  const [makeKey, ...uses] = (await page.innerText('#save-lines')).split('\n');
  execFileSync('sh', ['-c', makeKey], {cwd: scratch});
  assert.equal(uses[1], 'bloomery check --key-file key page.blm ITEMS.txt');
  run(['build', '-q', '-o', tools, '--key-file', key, '--bits', '1024', '--hashes', '4'], lines(FRUITS));
  assert.deepEqual(readFileSync(saves), readFileSync(tools));
  assert.equal(run(['check', '--key-file', key, saves], 'apple\n'), 'apple\n');
  assert.throws(() => run(['check', saves], 'apple\n'), /key/);
  await closePage(page);
});

test('typing acts at once; playing, stepping, undo, clear', async () => {
  const page = await openPage();
  await page.fill('#item', 'date');
  assert.match(await page.innerText('#verdict'), /“date”.*definitely no/);
  assert.equal((await page.$$('#steps li')).length, 2);
  await page.click('#play');
  await page.click('#add');
  assert.equal((await page.$$('#steps li')).length, 0);
  await page.click('#step');
  assert.match(await page.innerText('#verdict'), /position 1 of 2/);
  await page.click('#back');
  assert.match(await page.innerText('#verdict'), /position 0 of 2/);
  await page.click('#end');
  assert.match(await page.innerText('#verdict'), /Added “date”/);
  await page.click('#play');
  await page.press('#item', 'Enter');
  await page.waitForFunction(() => document.getElementById('verdict').innerText.includes('Possibly yes. And it was added'));
  await atOnce(page);
  await act(page, 'add', 'elderberry');
  assert.equal(await fact(page, 'items'), '2');
  assert.equal((await page.$$('#log li')).length, 3);
  await page.click('#undo');
  assert.equal(await fact(page, 'items'), '1');
  assert.match(await act(page, 'check', 'date'), /it was added/);
  await page.click('#clear');
  assert.equal(await fact(page, 'fill'), '0%');
  assert.equal((await page.$$('#truth li')).length, 0);
  await closePage(page);
});

// The colour of the lower left corner of a cell in the first row.
const colourOf = (page, cell) => page.evaluate((at) => new Promise((done) => requestAnimationFrame(() => {
  const canvas = document.querySelector('canvas');
  const size = canvas.height;  // one row
  const [red, green, blue] = canvas.getContext('2d').getImageData((at + 0.2) * size, 0.75 * size, 1, 1).data;
  done({red, green, blue});
})), cell);

for (const colorScheme of ['light', 'dark'])
  test(`positions are yellow while they are looked at; the end is green or red: ${colorScheme}`, async () => {
    const page = await openPage({colorScheme});
    await atOnce(page);
    await act(page, 'add', 'apple');
    await page.click('#play');
    const check = async (item) => { await page.fill('#item', item); await page.click('#check'); };
    await check('apple');
    await page.click('#step');
    const {red, green, blue} = await colourOf(page, Number(await page.getAttribute('#steps li', 'data-cell')));
    assert.ok(Math.min(red, green) > blue + 40, `not yellow but ${red}, ${green}, ${blue}`);
    for (const [item, tone] of [['apple', 'good'], ['quince', 'bad']]) {
      await check(item);
      await page.click('#end');
      assert.equal(await page.getAttribute('#verdict', 'class'), `verdict ${tone}`);
    }
    await closePage(page);
  });

test('the example of eight cache lines: a key stays in one of them', async () => {
  const page = await openPage();
  await page.click('#example-blocked');
  assert.equal(await page.inputValue('#layout'), 'blocked');
  assert.equal(await fact(page, 'items'), '300');
  await atOnce(page);
  await act(page, 'add', 'fig');
  const lines = await page.$$eval('#steps li', (items) => items.map((item) => Math.floor(item.dataset.cell / 512)));
  assert.equal(lines.length, 5);
  assert.equal(new Set(lines).size, 1);
  await closePage(page);
});

test('a cell tells who set it, by pointer and by keyboard', async () => {
  const page = await openPage();
  await atOnce(page);
  await act(page, 'add', 'apple');
  const cell = Number(await page.getAttribute('#steps li', 'data-cell'));
  await page.focus('canvas');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  for (let i = 0; i < cell; ++i) await page.keyboard.press('ArrowRight');
  assert.equal(await page.innerText('#cell'), `Cell ${cell} is 1. Set by 1: apple`);
  const size = await page.$eval('canvas', (canvas) => canvas.clientHeight);  // one row
  await page.hover('canvas', {position: {x: (cell + 0.5) * size, y: size / 2}});
  assert.equal(await page.innerText('#cell'), `Cell ${cell} is 1. Set by 1: apple`);
  await closePage(page);
});

test('ten thousand new items: the measured rate keeps to the predicted one, and is the tool’s', async () => {
  const page = await openPage();
  await page.click('#example-thousand');
  await page.click('#check-10000');
  const tools = built('thousand.blm', {hash: 'murmur3', bits: 9586, hashes: 7}, numbers(1, 1000));
  const wrong = Number(run(['check', '-c', tools], numbers(1_000_000_000, 10_000)));
  assert.equal(await fact(page, 'false-positives'), String(wrong));
  const predicted = runJson(['info', tools]).current_fpr;
  assert.equal(await fact(page, 'predicted'), short(predicted));
  assert.ok(Math.abs(wrong / 10_000 - predicted) < 5 * Math.sqrt(predicted / 10_000));
  assert.deepEqual(readFileSync(await saved(page)), readFileSync(tools));
  await closePage(page);
});

test('counters go up and down', async () => {
  const page = await openPage();
  await choose(page, {layout: 'counting', m: 32, k: 3});
  await atOnce(page);
  for (const item of ['apple', 'apple', 'banana']) await act(page, 'add', item);
  assert.match(await act(page, 'delete', 'apple'), /Deleted “apple”/);
  assert.match(await act(page, 'check', 'apple'), /it was added/);
  await act(page, 'delete', 'apple');
  assert.match(await act(page, 'check', 'banana'), /it was added/);
  assert.match(await act(page, 'delete', 'quince'), /certainly not in|others may be forgotten/);
  await closePage(page);
});

test('4096 cells are drawn one by one, more as a heat map; an address restores the filter', async () => {
  const page = await openPage({at: '#array?layout=classic&hash=xxh3&m=4096&k=4'});
  assert.equal(await page.inputValue('#m'), '4096');
  await page.click('#add-many');
  await page.hover('canvas', {position: {x: 3, y: 3}});
  assert.match(await page.innerText('#cell'), /^Cell 0 is [01]\./);
  await choose(page, {hash: 'xxh3', m: 1_000_000, k: 4});
  await page.click('#add-many');
  assert.equal(await fact(page, 'cells'), '1,000,000');
  await page.hover('canvas', {position: {x: 30, y: 30}});
  assert.match(await page.innerText('#cell'), /^Cells \d+ to \d+: \d+ of \d+ are set/);
  assert.match(page.url(), /m=1000000/);
  await closePage(page);
});

test('an item can be any text', async () => {
  const page = await openPage();
  await atOnce(page);
  await choose(page, {hash: 'xxh3', m: 4096, k: 7});
  for (const item of ['арбуз', '西瓜', '<b>&amp;</b>', 'a\u0301 🍉']) {
    await act(page, 'add', item);
    assert.match(await act(page, 'check', item), /it was added/);
  }
  const tools = built('any.blm', {hash: 'xxh3', bits: 4096, hashes: 7}, lines(['арбуз', '西瓜', '<b>&amp;</b>', 'a\u0301 🍉']));
  assert.deepEqual(readFileSync(await saved(page)), readFileSync(tools));
  await closePage(page);
});
