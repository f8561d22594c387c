// One file of it all: bundles the scripts and styles, takes the engine in as base64, and lets the page itself
// forbid every request (Content-Security-Policy).
// usage: node build.mjs ENGINE.wasm OUT.html
import {createHash} from 'node:crypto';
import {readFile, rename, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [engineFile, outFile] = process.argv.slice(2);

const shared = {absWorkingDir: here, bundle: true, minify: true, write: false, charset: 'utf8', target: 'es2021'};
const bundle = async (entry, extra) => {
  const result = await esbuild.build({...shared, entryPoints: [entry], ...extra});
  return result.outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
};
const sourceHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('js/main.js', {format: 'iife', loader: {'.wasm': 'binary'},
                                           alias: {'#engine.wasm': engineFile}});
const style = await bundle('css/page.css', {loader: {}});
const policy = ["default-src 'none'", `script-src ${sourceHash(script)} 'wasm-unsafe-eval'`,
                `style-src ${sourceHash(style)}`, "img-src data:", "base-uri 'none'", "form-action 'none'"].join('; ');

const page = (await readFile(join(here, 'page.html'), 'utf8'))
  .replace('{{policy}}', () => policy)
  .replace('{{style}}', () => style)
  .replace('{{script}}', () => script);
await writeFile(`${outFile}.new`, page);
await rename(`${outFile}.new`, outFile);
