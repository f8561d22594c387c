// The calculator: every number and both lines as `bloomery plan --json` has them.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {closePage, headOf, openPage, runJson, short, tableOf, type} from './browser.mjs';

async function give(page, fields) {
  await type(page, ['n', 'p', 'm', 'b', 'k'].map((name) => [`calc-${name}`, String(fields[name] ?? '')]));
  if (fields.unit) await page.selectOption('#calc-unit', fields.unit);
}

const CASES = [
  [{n: '10M', p: '0.001'}, ['--items', '10M', '--fpr', '0.001']],
  [{n: 200, p: '1%'}, ['--items', '200', '--fpr', '1%']],
  [{n: '1e6', m: 2, unit: 'MiB'}, ['--items', '1e6', '--memory', '2M']],
  [{m: 64, unit: 'KiB', p: '1/1000'}, ['--memory', '64K', '--fpr', '1/1000']],
  [{n: '2^20', b: 12}, ['--items', '2^20', '--bits-per-key', '12']],
  [{n: '100000', p: '0.01', k: 4}, ['--items', '100000', '--fpr', '0.01', '--hashes', '4']],
  [{m: 10, unit: 'MB', b: 10}, ['--memory', '10MB', '--bits-per-key', '10']],
];

let shared;  // one page for all the cases: opening one takes longer than a plan
for (const [fields, args] of CASES) {
  test(`plan ${args.join(' ')}`, async () => {
    const page = (shared ??= await openPage({at: '#calculator'}));
    await give(page, fields);
    const {layouts, hash_sets: sets} = runJson(['plan', ...args]);
    const names = (await headOf(page, 'plan')).slice(1);
    const rows = Object.fromEntries((await tableOf(page, 'plan')).map(([name, ...cells]) => [name, cells]));
    for (const {name, problem} of layouts) assert.equal(names.includes(name), problem === null, name);
    for (const [i, name] of names.entries()) {
      const plan = layouts.find((one) => one.name === name);
      if (!plan) continue;  // counting: the tool does not list it
      const cell = (row) => rows[row][i].replaceAll(',', '');
      assert.equal(cell('keys'), String(plan.keys));
      assert.equal(cell('rate achieved'), short(plan.fpr, 6));
      assert.equal(cell('bits'), String(plan.size_bits));
      assert.equal(cell('bits per key'), short(plan.bits_per_key));
      if (name === 'exact') continue;
      assert.equal(cell('hashes k').split(' ')[0], String(plan.hashes));
      plan.around_hashes.forEach(({fpr}, at) =>
        assert.equal(cell(['rate with k-1', 'rate with k', 'rate with k+1'][at]), fpr === null ? '-' : short(fpr, 6)));
      await page.selectOption('#calc-layout', name);
      assert.equal(await page.innerText('#cli-line'), plan.cli);
      assert.equal(await page.innerText('#cpp-line'), plan.cpp);
      await page.waitForFunction(() => document.querySelectorAll('#curves canvas').length === 3);
    }
    const memory = Object.fromEntries(await tableOf(page, 'memory'));
    const [size, unit] = memory['set of 16-byte fingerprints'].split(' ');
    const factor = 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit);
    assert.ok(Math.abs(size * factor - sets.fingerprints_bytes) <= 0.005 * factor + 0.5);
  });
}
test('nothing went wrong on the way', () => closePage(shared));

test('bits per key with k fixed', async () => {
  const page = await openPage({at: '#calculator?n=1000&p=0.01'});
  const {fixed_hashes: fixed} = runJson(['plan', '--hashes', '3', '--fpr', '0.01']);
  const rows = Object.fromEntries((await tableOf(page, 'fixed')).map(([k, ...cells]) => [k, cells]));
  for (const {hashes, bits_per_key: exact, bits_per_key_approx: approximate} of fixed)
    assert.deepEqual(rows[`k = ${hashes}`], [exact.toFixed(2), approximate.toFixed(2)]);
  await closePage(page);
});

test('the whole state is in the URL', async () => {
  const page = await openPage({at: '#calculator'});
  await give(page, {m: 3, unit: 'MB', p: '2%', k: 5});
  await page.selectOption('#calc-layout', 'blocked');
  const line = await page.innerText('#cli-line');
  const other = await openPage({at: new URL(page.url()).hash});
  assert.equal(await other.inputValue('#calc-m'), '3');
  assert.equal(await other.inputValue('#calc-unit'), 'MB');
  assert.equal(await other.inputValue('#calc-n'), '');
  assert.equal(await other.innerText('#cli-line'), line);
  await closePage(other);
  await closePage(page);
});

test('both lines can be copied', async () => {
  const page = await openPage({at: '#calculator?n=5000&p=0.001', permissions: ['clipboard-read', 'clipboard-write']});
  for (const id of ['cli-line', 'cpp-line']) {
    await page.click(`#${id} + button`);
    await page.waitForFunction((one) => document.querySelector(`#${one} + button`).innerText === 'Copied', id);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.innerText(`#${id}`));
  }
  await closePage(page);
});

test('rates too small to draw do not stop the page', async () => {
  for (const at of ['#calculator?n=10&m=5&unit=MiB', '#calculator?n=10&m=1&unit=GiB&layout=blocked', '#calculator?n=1&p=1e-18']) {
    const page = await openPage({at});
    await page.waitForFunction(() => document.querySelectorAll('#curves canvas').length === 3);
    await closePage(page);
  }
});

test('what is wrong, missing or too much is said', async () => {
  const page = await openPage({at: '#calculator'});
  for (const [fields, says] of [[{n: 'many', p: '0.01'}, /Keys n/], [{n: 100}, /do not say a size/], [{p: '2'}, /rate p/],
                                [{m: 5}, /Not enough/], [{n: 10, m: 5, b: 8}, /leave one of them out/], [{n: 1e6, p: '0.01', k: 999}, /hashes/]]) {
    await give(page, fields);
    assert.match(await page.innerText('#calc-problem'), says);
    assert.equal(await page.$('#plan'), null);
  }
  await give(page, {n: 'many', p: '0.01'});
  assert.equal(await page.getAttribute('#calc-n', 'aria-invalid'), 'true');
  await closePage(page);
});
