// The frame: languages, colours, the keyboard, no requests, and the page as the tool serves it.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';
import {act, atOnce, closePage, folder, openPage, pageUrl, run, tool} from './browser.mjs';

const WORD = {en: 'Calculator', ru: 'Калькулятор', zh: '计算器'};

test('the browser’s language is taken, and can be changed', async () => {
  for (const [locale, language] of [['ru-RU', 'ru'], ['zh-CN', 'zh'], ['de-DE', 'en']]) {
    const page = await openPage({locale});
    assert.equal(await page.getAttribute('html', 'lang'), language);
    assert.equal(await page.innerText('#tab-calculator'), WORD[language]);
    await closePage(page);
  }
  const page = await openPage();
  await atOnce(page);
  await act(page, 'add', 'apple');
  for (const language of ['ru', 'zh', 'en']) {
    await page.selectOption('#language', language);
    assert.equal(await page.innerText('#tab-calculator'), WORD[language]);
    assert.equal(await page.innerText('#truth'), 'apple', 'the filter outlives the change');
  }
  await closePage(page);
});

test('every sentence is there in every language, with the same gaps', async () => {
  const load = async (name) => (await import(join(folder, 'web', 'js', 'lang', `${name}.js`))).default;
  const gaps = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const english = await load('en');
  for (const name of ['ru', 'zh']) {
    const other = await load(name);
    assert.deepEqual(Object.keys(other), Object.keys(english));
    for (const key of Object.keys(english)) assert.deepEqual(gaps(other[key]), gaps(english[key]), `${name}: ${key}`);
  }
});

test('light and dark, chosen or as the system has it', async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const page = await openPage({colorScheme: 'dark'});
  const dark = await ground(page);
  await page.selectOption('#theme', 'light');
  const light = await ground(page);
  assert.notEqual(light, dark);
  await page.selectOption('#theme', 'dark');
  assert.equal(await ground(page), dark);
  await closePage(page);
});

test('by keyboard alone', async () => {
  const page = await openPage();
  await page.focus('#tab-array');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-variants', 'aria-selected'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-variants');
  await page.keyboard.press('ArrowLeft');
  for (let i = 0; i < 40 && (await page.evaluate(() => document.activeElement.id)) !== 'item'; ++i) await page.keyboard.press('Tab');
  await page.keyboard.type('apple');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('verdict').innerText.includes('Added “apple”'));
  await closePage(page);
});

test('no request leaves the page, and none could', async () => {
  const page = await openPage();
  for (const name of ['variants', 'calculator', 'files', 'array']) await page.click(`#tab-${name}`);
  assert.deepEqual([...new Set(page.requests.filter((url) => !url.startsWith('data:')))], [pageUrl]);
  const refused = await page.evaluate(() => fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => error.name));
  assert.equal(refused, 'TypeError');
  assert.ok(page.problems.splice(0).every((text) => /Content Security Policy|Failed to fetch|violates/i.test(text)));
  await closePage(page);
});

// Its first line, which is the URL.
const firstLine = (child) => new Promise((resolve, reject) => {
  let text = '';
  child.stdout.on('data', (data) => { text += data; if (text.includes('\n')) resolve(text.trim()); });
  child.on('exit', (code) => reject(new Error(`bloomery page ended with ${code}`)));
});

test('served by the tool on loopback', async () => {
  const child = spawn(tool, ['page', '--file', join(folder, 'bloomery.html')], {stdio: ['ignore', 'pipe', 'inherit']});
  try {
    const url = await firstLine(child);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await openPage({url});
    await atOnce(page);
    assert.match(await act(page, 'add', 'apple'), /Added/);
    assert.deepEqual([...new Set(page.requests.filter((one) => !one.startsWith('data:')))], [url]);
    await closePage(page);
    assert.equal((await fetch(`${url}other`)).status, 404);
    const port = new URL(url).port;
    assert.throws(() => run(['page', '--file', join(folder, 'bloomery.html'), '--port', port]), /--port: cannot listen/);
  } finally {
    child.removeAllListeners('exit');
    child.kill();
  }
  assert.throws(() => run(['page', '--file', join(folder, 'no such page')]), /cannot read the page/);
  assert.equal(run(['page', '--where']).trim(), join(folder, 'bloomery.html'));
});
