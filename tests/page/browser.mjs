// What the tests share: the browser, the page in it, and the command line to compare with.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after} from 'node:test';
import {pathToFileURL} from 'node:url';

export const folder = process.env.BLOOMERY_PAGE;
export const tool = process.env.BLOOMERY;
export const pageUrl = pathToFileURL(join(folder, 'bloomery.html')).href;
const modules = createRequire(join(folder, 'web', 'package.json'));
const {chromium} = modules('playwright-core');
export const axePath = modules.resolve('axe-core/axe.min.js');

const PATIENCE_MS = 120_000;  // for a machine with much else to do
export const SIZES = {phone: {width: 390, height: 844}, desk: {width: 1440, height: 900}, wide: {width: 3840, height: 2160}};

let browser;
// No sandbox: it needs what root and containers have not, and only our own page is opened.
const launched = () => (browser ??= chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox'], timeout: PATIENCE_MS}));
after(async () => (await browser)?.close());

export const scratch = mkdtempSync(join(tmpdir(), 'bloomery-page-'));
after(() => rmSync(scratch, {recursive: true}));

// A page that has started; what goes wrong in it, and every request, is kept.
export async function openPage({at = '', size = SIZES.desk, url = pageUrl, ...options} = {}) {
  const context = await (await launched()).newContext({viewport: size, locale: 'en-GB', ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.problems = [];
  page.requests = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('request', (request) => page.requests.push(request.url()));
  await page.goto(url + at);
  await page.waitForSelector('html[data-ready=true]');
  return page;
}

export async function closePage(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

// Types into fields as a person would, but all of them at once: {id: text}. Returns the text of each of `read` (ids)
// after each, without waiting for frames in between.
export const type = (page, fields, read = []) => page.evaluate(([all, ids]) => all.map(([id, text]) => {
  const input = document.getElementById(id);
  input.value = text;
  input.dispatchEvent(new Event('input', {bubbles: true}));
  return ids.map((one) => document.getElementById(one).innerText);
}), [fields, read]);

// In the array view: no animation, so that an answer is there at once.
export const atOnce = (page) => page.fill('#speed', '6');

export async function act(page, button, item) {
  await page.fill('#item', item);
  await page.click(`#${button}`);
  return page.innerText('#verdict');
}

export const fact = (page, name) => page.innerText(`[data-fact=${name}]`);

// Runs the tool. Exit code 1 says that check found nothing.
export function run(args, input = '') {
  try {
    return execFileSync(tool, args, {input, encoding: 'utf8', cwd: scratch, stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28});
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw new Error(`bloomery ${args.join(' ')}: ${error.stderr}`);
  }
}
export const runJson = (args, input) => JSON.parse(run([...args, '--json'], input));
export const lines = (items) => items.map((item) => `${item}\n`).join('');
export const numbers = (first, count) => lines(Array.from({length: count}, (_, i) => first + i));
export const inScratch = (name, data) => {
  const path = join(scratch, name);
  if (data !== undefined) writeFileSync(path, data);
  return path;
};

// As the page writes a share and a number in English.
export const percent = (share) => `${(100 * share).toLocaleString('en', {maximumSignificantDigits: 3})}%`;
export const short = (number, digits = 4) =>
  number !== 0 && (Math.abs(number) < 1e-4 || Math.abs(number) >= 1e15) ? number.toExponential(digits - 1).replace('e+', 'e')
    : String(Number(number.toPrecision(digits)));

// The text of a table: rows of cells.
export const tableOf = (page, id) =>
  page.$$eval(`#${id} tbody tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
export const headOf = (page, id) => page.$$eval(`#${id} thead th`, (cells) => cells.map((cell) => cell.innerText.trim()));

export async function saved(page) {
  await page.click('#tab-files');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
  const path = inScratch(download.suggestedFilename());
  await download.saveAs(path);
  return path;
}
