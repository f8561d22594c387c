// Filters of one plan (n keys at rate p) that are filled with the numbers 1, 2, 3, ..., far beyond n.
import {Filter, KIND, supports} from '../engine.js';

const PROBES_FROM = 1_000_000_000;
export const PROBES = 20_000;
export const LOADS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 8, 10];

const measure = (filter) => filter.countMaybes(PROBES_FROM, PROBES) / PROBES;

function fillFixed(kind, n, p) {
  const filter = Filter.create({kind, keys: n, fpr: p});
  let keys = 0;
  const points = LOADS.map((load) => {
    const target = Math.round(load * n);
    filter.insertNumbers(keys + 1, target - keys);
    keys = target;
    return {measured: measure(filter), predicted: filter.info().fpr};
  });
  const {sizeBytes} = filter.info();
  filter.free();
  return {points, sizeBytes, segments: 1};
}

// Segment i is planned for 2^i n keys at p / ((i + 1)(i + 2)): these rates sum to p, however many there are.
function fillGrowing(n, p) {
  const segmentPlan = (i) => ({kind: KIND.blocked, keys: n * 2 ** i, fpr: p / ((i + 1) * (i + 2))});
  const filter = Filter.create(segmentPlan(0));
  let segments = 1, keys = 0, room = n;
  const points = LOADS.map((load) => {
    const target = Math.round(load * n);
    while (keys < target) {
      if (keys === room) {
        filter.appendSegment(segmentPlan(segments));
        room += n * 2 ** segments++;
      }
      const next = Math.min(target, room);
      filter.insertNumbers(keys + 1, next - keys);
      keys = next;
    }
    return {measured: measure(filter), predicted: filter.info().fpr};
  });
  const {sizeBytes} = filter.info();
  filter.free();
  return {points, sizeBytes, segments};
}

// name -> {points: one for each of LOADS, sizeBytes at the end, segments}. Errors: EngineError
export function fillAll(n, p) {
  const all = {};
  for (const name of ['classic', 'blocked', 'counting']) if (supports(KIND[name])) all[name] = fillFixed(KIND[name], n, p);
  all.growing = fillGrowing(n, p);
  return all;
}
