// How it looks: axe finds nothing serious, nothing is cut off; pictures at three sizes go to the build folder.
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {SIZES, axePath, closePage, folder, inScratch, numbers, openPage, run} from './browser.mjs';

const pictures = join(folder, 'screenshots');
mkdirSync(pictures, {recursive: true});
const VIEWS = ['array', 'variants', 'calculator', 'files'];
const axe = readFileSync(axePath, 'utf8');

// Something to see in each view.
async function enter(page, view) {
  await page.click(`#tab-${view}`);
  if (view === 'array') {
    await page.fill('#speed', '6');
    await page.click('#example-fruits');
    await page.click('#check');
  }
  if (view === 'files') {
    const path = inScratch('picture.blm');
    run(['build', '-q', '-o', path, '--expected', '20000', '--fpr', '0.01'], numbers(1, 9000));
    await page.setInputFiles('#file', path);
    await page.waitForSelector('#file-facts');
  }
  if (view === 'calculator') await page.waitForSelector('#curves canvas');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function serious(page) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => window.axe.run(document));
  return violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => `${id}: ${nodes.map(({html, any}) => `${html.slice(0, 120)} ${any[0]?.message ?? ''}`).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe, ${colorScheme}`, async () => {
    const page = await openPage({colorScheme});
    for (const view of VIEWS) {
      await enter(page, view);
      assert.deepEqual(await serious(page), [], view);
    }
    await closePage(page);
  });
}

const LOOKS = [['en-GB', 'light'], ['ru-RU', 'dark'], ['zh-CN', 'light']];
for (const [name, size] of Object.entries(SIZES)) {
  test(`pictures: ${name}`, async () => {
    for (const [locale, colorScheme] of name === 'wide' ? LOOKS.slice(0, 1) : LOOKS) {
      const page = await openPage({size, locale, colorScheme});
      for (const view of VIEWS) {
        await enter(page, view);
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(tooWide <= 0, `${view} at ${name}, ${locale}: ${tooWide} pixels wider than the window`);
        await page.screenshot({path: join(pictures, `${view}-${name}-${locale.slice(0, 2)}.png`), fullPage: name !== 'wide'});
      }
      await closePage(page);
    }
  });
}

// The gaps between frames while 32 positions are shown, one after the other; sorted.
async function frameGaps() {
  const page = await openPage({at: '#array?layout=classic&hash=xxh3&m=4096&k=32'});
  await page.fill('#speed', '5');
  await page.click('#add-many');
  await page.fill('#item', 'watermelon');
  const frames = await page.evaluate(() => new Promise((done) => {
    const times = [];
    document.getElementById('add').click();
    const tick = (now) => (times.push(now), times.length < 60 ? requestAnimationFrame(tick) : done(times));
    requestAnimationFrame(tick);
  }));
  assert.match(await page.innerText('#verdict'), /Add(ing|ed) “watermelon”/);
  await closePage(page);
  return frames.slice(1).map((time, i) => time - frames[i]).sort((a, b) => a - b);
}

// Where the machine has much else to do, one of a few tries must find it free.
test('4096 cells: 60 frames per second', async () => {
  let found;
  for (let tries = 0; tries < 5 && !(found?.median_ms < 17); ++tries) {
    const gaps = await frameGaps();
    found = {frames: gaps.length, median_ms: gaps[gaps.length >> 1], slowest_ms: gaps.at(-1)};
  }
  writeFileSync(join(folder, 'frames.json'), `${JSON.stringify(found)}\n`);
  assert.ok(found.median_ms < 17, `${found.median_ms} ms`);
});
