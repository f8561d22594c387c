// The bloom commands of the npm package "redis", unchanged, against the module; in both protocols.
// environment: REDIS_SOCKET: of a server with the module.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createClient, RESP_TYPES } from 'redis';

for (const RESP of [2, 3]) describe(`RESP${RESP}`, () => {
  const client = createClient({ RESP, socket: { path: process.env.REDIS_SOCKET, tls: false } });
  const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  const bf = client.bf;

  before(() => client.connect());
  after(() => client.close());
  beforeEach(() => client.flushAll());

  test('reserve, add, exists, card', async () => {
    assert.equal(await bf.reserve('k', 0.01, 100), 'OK');
    await assert.rejects(bf.reserve('k', 0.01, 100), /item exists/);
    assert.equal(await bf.add('k', 'a'), true);
    assert.equal(await bf.add('k', 'a'), false);
    assert.equal(await bf.exists('k', 'a'), true);
    assert.equal(await bf.exists('k', 'b'), false);
    assert.equal(await bf.exists('missing', 'b'), false);
    assert.equal(await bf.card('k'), 1);
    assert.equal(await bf.card('missing'), 0);
  });

  test('many items at once', async () => {
    assert.deepEqual(await bf.mAdd('k', ['a', 'b', 'a']), [true, true, false]);
    assert.deepEqual(await bf.mExists('k', ['a', 'c', 'b']), [true, false, true]);
    assert.deepEqual(await bf.mExists('missing', ['a', 'c']), [false, false]);
  });

  test('insert makes a filter as its options say', async () => {
    const options = { CAPACITY: 1000, ERROR: 0.001, EXPANSION: 4 };
    assert.deepEqual(await bf.insert('k', ['a', 'b', 'a'], options), [true, true, false]);
    const info = await bf.info('k');
    assert.equal(Number(info.Capacity), 1000);
    assert.equal(Number(info['Expansion rate']), 4);
    await assert.rejects(bf.insert('missing', 'a', { NOCREATE: true }), /not found/);
    assert.deepEqual(await bf.insert('fixed', 'a', { CAPACITY: 3, NONSCALING: true }), [true]);
    assert.equal((await bf.info('fixed'))['Expansion rate'], null);
  });

  test('info', async () => {
    await bf.reserve('k', 0.01, 100, { EXPANSION: 3 });
    await bf.mAdd('k', ['a', 'b']);
    assert.deepEqual({ ...await bf.info('k') }, {
      'Capacity': 100, 'Size': 240, 'Number of filters': 1, 'Number of items inserted': 2, 'Expansion rate': 3,
    });
    await assert.rejects(bf.info('missing'), /not found/);
  });

  test('a full filter answers with an error', async () => {
    await bf.reserve('k', 0.0001, 2, { NONSCALING: true });
    assert.deepEqual(await bf.mAdd('k', ['a', 'b']), [true, true]);
    await assert.rejects(bf.add('k', 'c'), /non scaling filter is full/);
  });

  test('a filter in pieces', async () => {
    for (let i = 0; i < 3000; i += 500)
      await bf.mAdd('from', Array.from({ length: 500 }, (_, j) => `item ${i + j}`));
    for (let iterator = 0, pieces = 0; ; ++pieces) {
      const piece = await bytes.bf.scanDump('from', iterator);
      iterator = Number(piece.iterator);
      if (iterator === 0) {
        assert.ok(pieces > 4);
        break;
      }
      assert.equal(await bf.loadChunk('to', iterator, piece.chunk), 'OK');
    }
    assert.deepEqual(await bf.info('to'), await bf.info('from'));
    const asked = Array.from({ length: 4000 }, (_, i) => `item ${i}`);
    assert.deepEqual(await bf.mExists('to', asked), await bf.mExists('from', asked));
  });

  test('wrong types', async () => {
    await client.set('s', 'text');
    await assert.rejects(bf.add('s', 'a'), /WRONGTYPE/);
    assert.equal(await bf.exists('s', 'a'), false);
    assert.equal(await client.type('s'), 'string');
  });

  test('many commands under way at once', async () => {
    const items = Array.from({ length: 2000 }, (_, i) => `item ${i % 1000}`);
    await bf.reserve('k', 1e-6, 2000);
    const fresh = await Promise.all(items.map((item) => bf.add('k', item)));
    assert.equal(fresh.filter(Boolean).length, 1000);
    const [added, card] = await client.multi().bf.add('k', 'in a transaction').bf.card('k').exec();
    assert.deepEqual([added, card], [true, 1001]);
  });
});
