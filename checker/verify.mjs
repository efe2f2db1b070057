// Checks texts of a Private Posterior service without its code, in Node 20 or newer or in a browser.
// Written from docs/reference/evidence.md alone. `node verify.mjs --help` says how it is called.

const LARGEST = 64 * 2 ** 20; // bytes of one file
const SPENDING = ['release_charged', 'query_charged', 'receipt_reconciled', 'written_off'];
const CHARGES = ['release_charged', 'query_charged'];
const PLACES = { epsilon: 9, delta: 18, rho: 12, rho_delta: 18 };
const BODIES = {
  'evidence 1': 'accountant answer_sha256 at budget_id chain_hash dataset_id delta drawn_sha256 epsilon release_id rho '
    + 'sequence spec_sha256',
  'receipt 1': 'accountant at budget_id chain_hash commitment dataset_id delta_units epsilon_units grant_id key_hash '
    + 'owner_id payload_hash principal_id release_id rho_units sequence spec_sha256',
  'outcome 1': 'answer_sha256 drawn_sha256 release_id',
  'release signature 1': 'release_id sha256',
  'head 1': 'at budget_id chain_hash sequence',
};
const EVENTS = {
  simplex_geometric: 'epsilon m n', laplace: 'epsilon m n', gaussian: 'delta m n rho',
  exponential: 'calibration delta epsilon0 gamma n prior uniform_admixture',
  private_size: 'delta epsilon law m records_per_unit', linear: 'denominator m n rates records_per_unit rows',
  margins: 'delta impossible levels loss losses margins n records_per_unit',
  blocks: 'blocks epsilons impossible levels n records_per_unit',
};
/** Kinds of events that are not counts of all cells; those of counts may have `merged`. */
const OF_SEVERAL = ['margins', 'blocks', 'linear'];
const STATED = 'stated by the service';
const ENCODER = new TextEncoder();

// ---- JSON: whole numbers exact, members once, and the canonical text ----

export class Refused extends Error {}
const refuse = (why) => { throw new Refused(why); };

/** A value of JSON text: whole numbers are BigInt, others Number, objects have no prototype. */
export function parse(text) {
  let at = 0;
  const fail = () => refuse(`no JSON at character ${at}`);
  const blank = () => { while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1; };
  const string = () => {
    const start = at;
    for (at += 1; text[at] !== '"'; at += text[at] === '\\' ? 2 : 1) if (at >= text.length) fail();
    at += 1;
    try { return JSON.parse(text.slice(start, at)); } catch { return fail(); }
  };
  const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  const value = (depth) => {
    if (depth > 50) refuse('too deep');
    blank();
    const next = text[at];
    if (next === '"') return string();
    if (next === '{' || next === '[') {
      const list = next === '[', close = list ? ']' : '}', found = list ? [] : Object.create(null);
      at += 1;
      blank();
      if (text[at] === close) { at += 1; return found; }
      for (;;) {
        let name;
        if (!list) {
          blank();
          if (text[at] !== '"') fail();
          name = string();
          if (name in found) refuse(`member ${name} twice`);
          blank();
          if (text[at] !== ':') fail();
          at += 1;
        }
        const each = value(depth + 1);
        if (list) found.push(each); else found[name] = each;
        blank();
        at += 1;
        if (text[at - 1] === close) return found;
        if (text[at - 1] !== ',') fail();
      }
    }
    for (const [word, meaning] of [['true', true], ['false', false], ['null', null]]) {
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    }
    number.lastIndex = at;
    const match = number.exec(text) ?? fail();
    at = number.lastIndex;
    if (match[0].length > 400) refuse('a number is too long');
    return match[1] || match[2] ? Number(match[0]) : BigInt(match[0]);
  };
  const found = value(0);
  blank();
  return at === text.length ? found : fail();
}

const SHORT = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const quoted = (text) => `"${text.replace(/["\\\u0000-\u001f]|[^\u0000-\u007f]/g, (unit) =>
  SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
/** The order of UTF-8 is that of code points. */
const byCodePoints = (names) => names.map((each) => [hex(ENCODER.encode(each)), each]).sort().map((pair) => pair[1]);

export function canonical(value) {
  if (typeof value === 'number') refuse('a number is not whole');
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? quoted(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return `{${byCodePoints(Object.keys(value)).map((name) => `${quoted(name)}:${canonical(value[name])}`).join(',')}}`;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
function same(a, b) {
  if (typeof a === 'number' || typeof b === 'number') return ['number', 'bigint'].includes(typeof a) &&
    a == b; // eslint-disable-line eqeqeq
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => same(each, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}
function shown(value) {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)) ?? 'nothing';
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

// ---- Hashes, signatures and amounts ----

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (data) => hex(new Uint8Array(
  await crypto.subtle.digest('SHA-256', typeof data === 'string' ? ENCODER.encode(data) : data)));
const netstrings = (values) => values.map((each) => `${ENCODER.encode(String(each)).length}:${each},`).join('');
function unbase64(text, length) {
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (unit) => unit.charCodeAt(0));
    return bytes.length === length && toBase64(bytes) === text ? bytes : null;
  } catch { return null; }
}
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g,
  '');

/** A decimal text as a whole number of 10^-places. */
export function units(text, places) {
  if (typeof text !== 'string' || text.length > 60 ||
    !/^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text)) refuse(`${shown(text)} is no amount`);
  const [whole, part = ''] = text.split('.');
  if (part.length > places) refuse(`${text} has more than ${places} decimal places`);
  return BigInt(whole + part.padEnd(places, '0'));
}
function decimal(value, places) {
  const text = value.toString().padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, '');
}
const seconds = (text) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? BigInt(Date.parse(text) / 1000)
  : refuse(`${shown(text)} is no time`));
const whole = (value, largest = 10n ** 18n) => (typeof value === 'bigint' && value >= 0n && value <= largest ? value
  : refuse(`${shown(value)} is no whole number in range`));

// ---- Intervals [low, high] of whole numbers of 10^-90 ----

const ONE = 10n ** 90n, GUARD = 10n ** 30n, FINE = ONE * GUARD;
const floor = (a, b) => (a % b < 0n ? a / b - 1n : a / b);
const ceil = (a, b) => -floor(-a, b);
const exact = (numerator, denominator = 1n) => [floor(numerator * ONE, denominator),
  ceil(numerator * ONE, denominator)];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
const minus = (a, b) => [a[0] - b[1], a[1] - b[0]];
function times(a, b) {
  const all = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
  return [floor(all.reduce((x, y) => (x < y ? x : y)), ONE), ceil(all.reduce((x, y) => (x > y ? x : y)), ONE)];
}
/** a/b for b > 0. */
function over(a, b) {
  if (b[0] <= 0n) refuse('a division by 0');
  return [floor(a[0] * ONE, a[0] < 0n ? b[0] : b[1]), ceil(a[1] * ONE, a[1] < 0n ? b[1] : b[0])];
}
const around = (fine) => [floor(fine - FINE / 10n ** 100n, GUARD), ceil(fine + FINE / 10n ** 100n, GUARD)];

/** e^-x for x >= 0: the series at x/2^k, squared k times. Errors are below 2^k * 200 units of 10^-120. */
function expOfMinus(x) {
  const at = (point) => {
    if (point > 400n * ONE) return [0n, 1n];
    const halvings = BigInt(Math.max(0, (point / ONE).toString(2).length + 8));
    const small = (point * GUARD) >> halvings;
    let sum = FINE, term = FINE;
    for (let i = 1n; term !== 0n; i += 1n) { term = -term * small / FINE / i; sum += term; }
    for (let i = 0n; i < halvings; i += 1n) sum = sum * sum / FINE;
    return around(sum);
  };
  const [low, high] = [at(x[1])[0], at(x[0])[1]];
  return [low < 0n ? 0n : low, high > ONE ? ONE : high];
}

/** ln x for x > 0, by the series of artanh after halvings or doublings. */
function ln(x) {
  const artanh = (numerator, denominator) => {
    const y = numerator * FINE / denominator, square = y * y / FINE;
    let sum = 0n;
    for (let power = y, i = 1n; power !== 0n; power = power * square / FINE, i += 2n) sum += power / i;
    return sum;
  };
  const at = (point) => {
    let value = point * GUARD, shifts = 0n;
    while (value * 2n > 3n * FINE) { value /= 2n; shifts += 1n; }
    while (value * 4n < 3n * FINE) { value *= 2n; shifts -= 1n; }
    return around(2n * artanh(value - FINE, value + FINE) + shifts * 2n * artanh(1n, 3n));
  };
  return [at(x[0])[0], at(x[1])[1]];
}

const whole1 = exact(1n), half = exact(1n, 2n);
/** S(x, h), the rho of discrete Laplace noise; h / sinh h = 2h e^-h / (1 - e^-2h). */
function discreteLaplace(x, h) {
  const e = expOfMinus(h);
  const ratio = over(times(times(exact(2n), h), e), minus(whole1, times(e, e)));
  return minus(x, times(ratio, minus(whole1, expOfMinus(x))));
}
/** F(x, h), the same for floored Laplace noise. */
function flooredLaplace(x, h) {
  const e = expOfMinus(h);
  return minus(x, times(times(times(half, h), over(plus(whole1, e), minus(whole1, e))), minus(whole1, expOfMinus(x))));
}
/** R(e) = e tanh(e/2). */
const pureToRho = (epsilon) => { const e = expOfMinus(epsilon); return times(epsilon,
  over(minus(whole1, e), plus(whole1, e))); };

/** C(rho, delta): the best a solves rho (a - 1)^2 + ln(a delta) = 0. A double's error in a matters in its square. */
export function epsilonOfRho(rho, delta) {
  if (rho[0] <= 0n || delta[0] <= 0n) refuse('rho or delta is 0');
  if (delta[0] >= ONE) return [0n, 0n];
  const logDelta = ln(delta), [r, logOf] = [rho[0], logDelta[0]].map((each) => Number(each) / 1e90);
  let low = 0, high = 1;
  const isBelow = (b) => r * b * b + Math.log1p(b) + logOf < 0;
  while (isBelow(high)) high *= 2;
  for (let i = 0; i < 300; i += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle; else high = middle;
  }
  const b = BigInt(Math.round(high * 2 ** 100)) * ONE / 2n ** 100n, less = [b, b], a = [b + ONE, b + ONE];
  const found = plus(minus(times(a, rho), over(plus(logDelta, times(a, ln(a))), less)), ln(less));
  return [found[0] - ONE / 10n ** 20n, found[1]].map((each) => (each > 0n ? each : 0n));
}

/** The least and the largest stated value that equal a formula: see *Rounding*. */
function rounded(value, places) {
  const unit = 10n ** BigInt(90 - places);
  return [ceil(value[0], unit), ceil(value[1] + 2n * 10n ** 60n, unit)];
}

// ---- Losses by event: each returns {epsilon, rho, delta}, a member being [class, least, largest] or absent ----

const point = (text, places = 60) => exact(units(text, places), 10n ** BigInt(places));
const of = (kind, value, places) => [kind, ...rounded(value, places)];
const equal = (value) => ['exact', value, value];
const gaussianLoss = (rho, delta) => ({
  rho: equal(rho), delta: equal(units(delta, 18)),
  epsilon: of('exact', epsilonOfRho(exact(rho, 10n ** 12n), point(delta)), 9),
});

/** E2: rho = e / r, r the ratio of successive Legendre polynomials at (1 + Q)/(1 - Q), by which N grows. */
function simplexRho(epsilon, m) {
  const q = expOfMinus(epsilon), x = over(plus(whole1, q), minus(whole1, q));
  let ratio = x;
  for (let j = 1n; j < m - 1n; j += 1n) {
    const next = minus(times(exact(2n * j + 1n), x), over(exact(j), ratio));
    ratio = [floor(next[0], j + 1n), ceil(next[1], j + 1n)];
  }
  return over(epsilon, ratio);
}

function linearLoss(event, relation) {
  const pure = { epsilon: 9, rho: 12 }, total = {};
  const k = whole(event.records_per_unit), denominator = whole(event.denominator);
  if (event.rows.length !== event.rates.length || denominator === 0n) refuse('rows, rates and denominator do not fit');
  for (const [name, places] of Object.entries(pure)) {
    let columns = event.rows.length ? event.rows[0].map(() => 0) : [], seen = new Map([['', 0]]), extra = 0n;
    const kept = [], start = new Map();
    if (event.rows.some((row) => row.length !== columns.length)) refuse('rows differ in length');
    event.rows.forEach((row, j) => {
      const rate = point(event.rates[j], 9);
      row.forEach((each) => whole(each < 0n ? -each : each));
      const least = row.reduce((a, b) => (a < b ? a : b));
      const v = row.map((each) => (relation === 'add_remove' ? (each < 0n ? -each : each) : each - least));
      const largest = v.reduce((a, b) => (a > b ? a : b)), exactly = largest <= 2n ** 20n;
      if (largest === 0n) return;
      const m = exactly ? largest : 2n ** 20n, scale = exact(largest * k, denominator);
      const top = rounded(times(rate, scale), 9)[0];
      const intervals = m < 256n ? m : 256n, knots = new Map([[0n, 0n]]);
      const knot = (q) => {
        if (!knots.has(q)) knots.set(q, rounded(discreteLaplace(times(rate,
          exact(largest * k * q, denominator * intervals)), exact(1n, 2n ** 20n)), 12)[0]);
        return knots.get(q);
      };
      const losses = new Map();
      const loss = (d) => {
        if (!losses.has(d)) {
          const q = d * intervals / m, r = d * intervals % m;
          losses.set(d, name === 'epsilon' ? ceil(d * top, m) : knot(q)
            + (r ? ceil((knot(q + 1n) - knot(q)) * r, m) : 0n));
        }
        return losses.get(d);
      };
      const ids = new Map(), next = columns.map((old, i) => {
        const id = `${old} ${v[i]}`;
        if (!ids.has(id)) ids.set(id, [ids.size, i]);
        return ids.get(id)[0];
      });
      if (ids.size > 1000) { extra += loss(m); return; }
      columns = next;
      const p = v.map((each) => (exactly ? each : each * 2n ** 20n / largest));
      kept.push((i, l) => {
        const zero = l < 0 ? v[i] === 0n : v[i] === v[l];
        let d = l < 0 ? p[i] : p[i] - p[l];
        if (d < 0n) d = -d;
        if (!exactly && !zero && d < m) d += 1n;
        return loss(d);
      });
    });
    columns.forEach((id, i) => { if (!start.has(id)) start.set(id, i); });
    const cells = [...start.values()];
    if (cells.length ** 2 * kept.length > 1e8) {
      total[name] = undefined;
      continue;
    }
    let worst = 0n;
    for (let a = 0; a < cells.length; a += 1) {
      for (let b = relation === 'add_remove' ? a : a + 1; b < cells.length; b += 1) {
        const sum = kept.reduce((so, row) => so + row(cells[a], relation === 'add_remove' ? -1 : cells[b]), 0n);
        if (sum > worst) worst = sum;
        if (relation === 'add_remove') break;
      }
    }
    total[name] = equal(worst + extra);
  }
  return { ...total, delta: equal(0n), why: 'the pairs of cells are too many to compare here' };
}

/** E10, E11: the largest sum of amounts of the margins in which two possible combinations differ. */
function largestSum({ n, levels: counts, impossible, margins }, amounts) {
  const levels = counts.map(Number);
  const sum = amounts.reduce((so, each) => so + each, 0n);
  const m = levels.reduce((so, each) => so * each, 1) - impossible.length;
  if (n === null || impossible.length === 0 || m > 2000 || m * m * margins.length > 2 ** 25) return sum;
  if (sum >= 2n ** 53n) refuse('the losses of margins exceed their limits');
  const left = new Set(impossible.map(String)), at = levels.map(() => 0), labels = [], weights = amounts.map(Number);
  for (;;) {
    if (!left.has(String(at))) {
      labels.push(margins.map((margin) => margin.reduce((so, each) => so * levels[each] + at[each], 0)));
    }
    let place = levels.length - 1;
    while (place >= 0 && at[place] === levels[place] - 1) { at[place] = 0; place -= 1; }
    if (place < 0) break;
    at[place] += 1;
  }
  let worst = 0;
  for (let a = 0; a < labels.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      let differs = 0;
      for (let i = 0; i < weights.length; i += 1) if (labels[a][i] !== labels[b][i]) differs += weights[i];
      if (differs > worst) worst = differs;
    }
  }
  return worst === 0 ? sum : BigInt(worst);
}

/** The number of cells of the table, before any were merged. */
function cellsOf({ m, prior, merged = [] }) {
  const named = merged.flat(), count = (m ?? BigInt(prior.length)) + BigInt(named.length - merged.length);
  if (new Set(named).size !== named.length || merged.some((each) => each.length < 2) ||
    named.some((each) => whole(each) >= count)) refuse('its merged cells are no disjoint sets of at least two');
  return count;
}

/** Whether a sampler on the simplex may have been used: see details.support. */
function canBeSimplex({ n, m, epsilon }) {
  let count = 1n;
  const less = n < m - 1n ? n : m - 1n;
  if (m < 3n || less > 12n) return false;
  for (let i = 1n; i <= less; i += 1n) count = count * (n + m - 1n - less + i) / i;
  return count <= 1000n && n * units(epsilon, 9) <= 600n * 10n ** 9n;
}

/** The loss of an event for all records of a unit, by the row of *Losses by event* that `id` names. */
export function lossOf(event, certificate, records) {
  const k = whole(records, 100000n), rational = exact(k), relation = certificate.relation, kind = event.event;
  const members = EVENTS[kind]?.split(' ').map((each) => (each === 'epsilon' && event.law === 'gaussian' ? 'rho' : each));
  if (!members) refuse(`event ${shown(kind)} is unknown`);
  const found = Object.keys(event).filter((each) => each !== 'merged' || OF_SEVERAL.includes(kind));
  if (!same(found.sort(), ['event', ...members].sort())) refuse('the event has other members than its kind');
  if (event.merged) cellsOf(event);
  if ('records_per_unit' in event && whole(event.records_per_unit) !== k) refuse('records_per_unit of event and spec differ');
  switch (kind) {
    case 'simplex_geometric': {
      const one = units(event.epsilon, 9), e = point(event.epsilon), m = whole(event.m, 100000n);
      const result = { id: 'E1', epsilon: equal(k * one), delta: equal(0n) };
      const { support } = certificate.details ?? {}, lattice = support === 'lattice';
      if (!lattice && (support !== 'simplex' || !canBeSimplex(event))) refuse(`support ${shown(support)} is none of this event`);
      if (k === 1n && lattice) return { ...result, id: 'E1, E2', rho: of('exact', simplexRho(e, m), 12) };
      // The mean of |z + k e_i - k e_j|, convex in k, grows at least in proportion to k.
      const bound = m === 2n ? discreteLaplace(times(e, rational), e) : times(simplexRho(e, m), rational);
      return { ...result, id: 'E1, E3', ...(lattice ? { rho: of('bounded', bound, 12) } : {}) };
    }
    case 'laplace': {
      const one = units(event.epsilon, 9), two = event.m === 2n, h = times(point(event.epsilon), half);
      const bound = times(exact(two ? 1n : 2n), flooredLaplace(times(h, rational), h));
      return { id: 'E4, E5', epsilon: equal(k * (two ? ceil(one, 2n) : one)), delta: equal(0n),
        rho: of('bounded', bound, 12) };
    }
    case 'gaussian':
      return { id: 'E6', ...gaussianLoss(k * k * units(event.rho, 12), event.delta) };
    case 'private_size': {
      if (event.law === 'gaussian') return { id: 'E9', ...gaussianLoss(units(event.rho, 12), event.delta) };
      const e = point(event.epsilon), h = [floor(e[0], k), ceil(e[1], k)], geometric = event.law === 'geometric';
      if (!geometric && event.law !== 'laplace') refuse(`law ${shown(event.law)} is unknown`);
      const kind = geometric || h[1] <= exact(32n, 10n)[0] ? 'exact' : 'bounded';
      return { id: geometric ? 'E7' : 'E8', epsilon: equal(units(event.epsilon, 9)), delta: equal(0n),
        rho: of(kind, (geometric ? discreteLaplace : flooredLaplace)(e, h), 12) };
    }
    case 'margins': {
      if (event.losses.length !== event.margins.length) refuse('losses and margins differ in number');
      const sum = (places) => largestSum(event, event.losses.map((each) => units(each, places)));
      if (event.loss === 'rho') return { id: 'E11', ...gaussianLoss(sum(12), event.delta) };
      if (event.loss !== 'epsilon') refuse(`loss ${shown(event.loss)} is unknown`);
      const c = relation === 'replace_one' ? 2n : 1n;
      const bounds = event.losses.map((each) => {
        const l = units(each, 9);
        return rounded(discreteLaplace(exact(l, c * 10n ** 9n), exact(l, c * k * 10n ** 9n)), 12);
      });
      const [least, largest] = [0, 1].map((i) => c * largestSum(event, bounds.map((each) => each[i])));
      return { id: 'E10', epsilon: equal(sum(9)), delta: equal(0n), rho: ['exact', least, largest] };
    }
    case 'blocks': {
      if (whole(event.records_per_unit) !== k) refuse('records_per_unit of event and spec differ');
      if (event.epsilons.length !== event.blocks.length) refuse('epsilons and blocks differ in number');
      const margins = event.blocks.map((block) => block.flat().sort((a, b) => Number(a) - Number(b)));
      const named = margins.flat().map(String);
      if (new Set(named).size !== named.length) refuse('two margins have an attribute in common');
      return { id: 'E15', delta: equal(0n),
        epsilon: equal(largestSum({ ...event, margins }, event.epsilons.map((each) => units(each, 9)))) };
    }
    case 'linear':
      return { id: 'E12', ...linearLoss(event, relation) };
    default: // exponential
      units(event.epsilon0, 9);
      if (certificate.method !== 'exact_channel') return { id: 'E14' };
      return { id: 'E13', ...channelLoss(event, certificate, Number(k)) };
  }
}

// ---- E13: every probability of a small channel, as doubles ----

/** ln of g(t) = Γ(t + 1/2) / √(Γ(t) Γ(t + 1)): a series beyond 30; g(t + 1)/g(t) = √(1 + 1/(4t(t + 1))) leads there. */
function logOfG(t) {
  let sum = 0, at = t;
  for (; at < 30; at += 1) sum -= Math.log1p(1 / (4 * at * (at + 1))) / 2;
  return sum - 1 / (8 * at) + 1 / (192 * at ** 3) - 1 / (640 * at ** 5) + 17 / (14336 * at ** 7);
}

/** For one cell with parameter alpha: table[c][r], its part of the logarithm of the affinity. */
function affinities(alpha, n) {
  const table = Array.from({ length: n + 1 }, () => new Float64Array(n + 1));
  for (let c = 0; c <= n; c += 1) {
    const step = (t) => { const x = (t - c) / 2, a = alpha + (c + t) / 2; return (Math.log1p(x / a)
      + Math.log1p((x + 1) / a)) / 2; };
    if (c < n) table[c][c + 1] = logOfG(alpha + c);
    for (let t = c + 2; t <= n; t += 1) table[c][t] = table[c][t - 2] - step(t - 2);
    for (let t = 0; t < c; t += 1) table[c][t] = table[t][c];
  }
  return table;
}

function channelLoss(event, certificate, records) {
  const n = Number(whole(event.n, 10n ** 7n)), m = event.prior.length;
  const [prior, epsilon0, gamma, admixture] = [event.prior.map(Number), Number(event.epsilon0),
    event.gamma === null ? null : Number(event.gamma), event.uniform_admixture === null ? null
      : Number(event.uniform_admixture)];
  if (!prior.every((each) => each > 0) || !(epsilon0 > 0) || m < 2) refuse('no such exponential mechanism');
  let size = 1;
  for (let i = 1; i < m; i += 1) size = size * (n + i) / i;
  if (size > 1200) return { why: `${Math.round(size)} candidates are too many to enumerate here` };
  const all = [];
  (function fill(left, so) { if (so.length === m - 1) all.push([...so,
    left]); else for (let i = 0; i <= left; i += 1) fill(left - i, [...so, i]); }(n, []));
  const tables = prior.map((alpha) => affinities(alpha, n)), count = all.length;
  const score = all.map((c) => Float64Array.from(all, (r) =>
    Math.sqrt(-Math.expm1(Math.min(0, tables.reduce((so, table, i) => so + table[c[i]][r[i]], 0))))));
  const apart = (a, b) => all[a].reduce((so, each, i) => so + Math.max(0, each - all[b][i]), 0);
  const distance = all.map((_, a) => Int32Array.from(all, (__, b) => apart(a, b)));
  const local = all.map((_, a) => all.reduce((so, __, b) => (distance[a][b] === 1 ? Math.max(so, score[a][b]) : so),
    0));
  const widest = Math.max(...local);
  const chances = all.map((_, a) => {
    const sensitivity = gamma === null ? widest : local.reduce((so, each, b) =>
      Math.max(so, each * Math.exp(-gamma * distance[a][b])), 0);
    const weights = score[a].map((h) => Math.exp(-epsilon0 / (2 * sensitivity) * h)
      + (admixture === null ? 0 : Math.exp(-admixture)));
    const total = weights.reduce((so, each) => so + each, 0);
    return weights.map((each) => each / total);
  });
  const pairs = [];
  const collect = (within) => { for (let a = 0; a < count; a += 1) for (let b = 0; b < count; b += 1) if (a !== b &&
    distance[a][b] <= within) pairs.push([a, b]); };
  collect(records);
  if (pairs.length * count > 6e7) { pairs.length = 0; collect(1); }
  if (pairs.length * count > 6e7) return { why: `${pairs.length} neighbours are too many to enumerate here` };
  const delta = Number(certificate.loss.delta), slack = 1e-10;
  let epsilon = 0, rho = 0;
  const beyond = (p, q, e) => p.reduce((so, each, r) => so + Math.max(0, each - Math.exp(e) * q[r]), 0);
  for (const [a, b] of pairs) {
    const p = chances[a], q = chances[b];
    let largest = 0, divergence = 0;
    for (let r = 0; r < count; r += 1) {
      const loss = Math.log(p[r] / q[r]);
      divergence += p[r] * loss;
      if (loss > largest) largest = loss;
    }
    rho = Math.max(rho, divergence);
    if (delta === 0) epsilon = Math.max(epsilon, largest);
    else if (beyond(p, q, epsilon) > delta) {
      let low = epsilon;
      for (let i = 0; i < 50 && largest - low > 1e-13; i += 1) { const middle = (low
        + largest) / 2; if (beyond(p, q, middle) > delta) low = middle; else largest = middle; }
      epsilon = low;
    }
  }
  const least = (value, places) => { const bound = BigInt(Math.max(0,
    Math.ceil((value - slack) * 10 ** places))); return ['enumerated', bound, bound]; };
  return { epsilon: least(epsilon, 9), rho: least(rho, 12) };
}

// ---- The check: lines of {word, file, what, detail, missing} ----

class Check {
  constructor(keys, own) { Object.assign(this, { keys, own, lines: [], found: [] }); }

  say(word, file, what, detail = '') { this.lines.push({ word, file, what, detail }); }

  /** Not checked, and the reader can bring what is missing. */
  lacks(file, what, detail) { this.lines.push({ word: 'not checked', file, what, detail, missing: true }); }

  is(word, file, what, stated, expected) {
    const right = same(stated, expected);
    this.say(right ? word : 'false', file, what, right ? '' : `states ${shown(stated)}, found ${shown(expected)}`);
    return right;
  }

  /** A step that refuses a text makes it false, and the others go on. */
  async step(file, what, work) {
    try { return await work(); } catch (error) {
      if (!(error instanceof Refused || error instanceof TypeError || error instanceof RangeError)) throw error;
      this.say('false', file, what, error instanceof Refused ? error.message
        : 'a member is missing or has another type');
      return undefined;
    }
  }

  async signed(file, what, object, kind) {
    return this.step(file, what, async () => {
      if (!isObject(object) || !same(Object.keys(object).sort(),
        ['body', 'key_id', 'signature'])) refuse('it is no signed object');
      const { body } = object, name = String(body?.kind).replace(/^private-posterior /, '');
      if (!(name in BODIES) || !String(body.kind).startsWith('private-posterior ') ||
        (kind && name !== kind)) refuse(`kind ${shown(body?.kind)} is another`);
      if (!same(Object.keys(body).sort(),
        ['kind', ...BODIES[name].split(' ')].sort())) refuse('its body has other members than its format');
      for (const member of ['at', 'sequence']) if (member in body) whole(body[member]);
      for (const [member, value] of Object.entries(body)) if (typeof value !== 'string' &&
        !/^at$|^sequence$|_units$/.test(member)) refuse(`${member} is no text`);
      const key = this.keys.get(object.key_id), bytes = unbase64(object.signature, 64);
      if (!bytes) refuse('its signature is not 64 bytes in base64url');
      if (!key) {
        if (this.keys.size && !this.own) refuse(`it is signed by the key ${shown(object.key_id)}, which is none of those given`);
        this.lacks(file, what, this.own && this.keys.size ? `the service does not show the key ${object.key_id}` : 'no key');
        return body;
      }
      const right = await crypto.subtle.verify('Ed25519', key, bytes, ENCODER.encode(canonical(body)));
      if (!right) refuse('the signature is not that of this body');
      this.say(this.own ? 'agrees' : 'holds', file, what, this.own ? 'signed by the key that this service shows'
        : `signed by the key ${object.key_id}`);
      return body;
    });
  }

  async classify({ name, bytes }) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const lines = text.split('\n').filter((line) => line.trim());
    if (lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) {
      return { name, kind: 'ledger', lines: lines.map(parse) };
    }
    const value = parse(text), item = { name, bytes, text, value };
    if (!isObject(value)) refuse('it is no text of this service');
    if ('spec' in value && 'drawn' in value) return { ...item, kind: 'evidence' };
    if ('body' in value) return { ...item, kind: 'signed' };
    if ('public_key' in value) return { ...item, kind: 'keys' };
    if ('id' in value && 'receipt' in value) return { ...item, kind: 'paid' };
    if ('id' in value && 'signature' in value) return { ...item, kind: 'public' };
    return refuse('it is no text of this service');
  }

  async keysFile({ name, value }) {
    await this.step(name, 'keys', async () => {
      const one = async (each, members, where) => {
        if (!same(Object.keys(each).sort(), members)) refuse(`${where} has other members than its format`);
        const raw = unbase64(each.public_key, 32) ?? refuse(`${where}public_key is not 32 bytes in base64url`);
        this.is('holds', name, `${where}key_id`, each.key_id, (await sha256(raw)).slice(0, 16));
      };
      await one(value, ['earlier', 'key_id', 'public_key'], '');
      for (const [i, each] of value.earlier.entries()) {
        await one(each, ['key_id', 'public_key', 'retired_at'], `earlier[${i}].`);
        this.say('not checked', name, `earlier[${i}].retired_at`, STATED);
      }
      for (const [place, text] of [['public_key', value.public_key],
        ...value.earlier.map((each, i) => [`earlier[${i}].public_key`, each.public_key])]) {
        if (!this.keys.size || this.own) this.say('not checked', name, place, 'bring keys from elsewhere');
        else this.is('agrees', name, place, [...this.keys.keys()].includes((await sha256(unbase64(text, 32))).slice(0,
          16)), true);
      }
    });
  }

  /** The amounts of an entry, a receipt or evidence: [epsilon, delta, rho] in units. */
  static amounts(object) {
    return ['epsilon', 'delta', 'rho'].map((name) => (`${name}_units` in object ? whole(object[`${name}_units`])
      : name in object ? units(object[name], PLACES[name]) : 0n));
  }

  certificate(file, spec, where = '') {
    const { certificate, event } = spec, kept = ['unit', 'statement', 'details'];
    if (event === null && certificate === null) { this.say('agrees', file, `${where}certificate`,
      'nothing was measured'); return; }
    if (!['replace_one',
      'add_remove'].includes(certificate.relation)) refuse(`relation ${shown(certificate.relation)} is unknown`);
    const { method } = certificate;
    if (!['theorem', 'exact_channel'].includes(method)) refuse(`method ${shown(method)} is unknown`);
    const secret = event.event === 'private_size' || event.n === null || event.n === undefined;
    this.is('agrees', file, `${where}certificate.relation`, certificate.relation, secret ? 'add_remove'
      : 'replace_one');
    const found = lossOf(event, certificate, spec.records_per_unit);
    for (const name of ['epsilon', 'delta', 'rho', 'rho_delta']) {
      const what = `${found.id}: ${where}certificate.loss.${name}`, places = PLACES[name],
        text = certificate.loss[name];
      if (text === null && name === 'rho') { this.say('agrees', file, what, 'no rho is stated'); continue; }
      const stated = units(text, places), [kind, least, largest] = name === 'rho_delta' ? equal(0n) : found[name] ?? [];
      if (!kind) { this.say('not checked', file, what, found.why ?? STATED); continue; }
      const bound = decimal(least, places);
      if (stated < least) this.say('false', file, what, `states ${text}, the loss is at least ${bound}`);
      else if (kind === 'exact' && stated <= largest) this.say('holds', file, what, `${text}, recomputed`);
      else this.say('agrees', file, what,
        `${text}, ${kind === 'exact' ? `${bound} is enough` : `the loss is at least ${bound}`}`);
    }
    for (const name of kept) if (name in certificate) this.say('not checked', file, `${where}certificate.${name}`,
      'words and numbers for people');
  }

  /** P1: [epsilon, delta, rho] that a loss costs. */
  static price(loss, accountant) {
    const [epsilon, delta] = [units(loss.epsilon, 9), units(loss.delta, 18)];
    if (accountant === 'basic') return [[epsilon, delta, 0n]];
    if (accountant !== 'zcdp') refuse(`accountant ${shown(accountant)} is unknown`);
    const implied = rounded(pureToRho(point(loss.epsilon)), 12);
    return implied.map((each) => (loss.rho === null || (each <= units(loss.rho, 12) &&
      delta <= units(loss.rho_delta, 18))
      ? [0n, delta, each] : [0n, units(loss.rho_delta, 18), units(loss.rho, 12)]));
  }

  async evidence(item) {
    const { name, value } = item;
    await this.step(name, 'evidence', async () => {
      if (!same(Object.keys(value).sort(), ['drawn', 'signature',
        'spec'])) refuse('it has other members than its format');
      const body = await this.signed(name, 'signature', value.signature, 'evidence 1');
      if (!body) return;
      item.body = body;
      this.is('holds', name, 'spec_sha256', body.spec_sha256, await sha256(value.spec));
      this.is('holds', name, 'drawn_sha256', body.drawn_sha256, await sha256(value.drawn));
      Object.assign(item, { spec: parse(value.spec), drawn: parse(value.drawn) });
      const { spec, drawn } = item;
      if (!('outcome' in spec)) this.lacks(name, 'drawn, answer_sha256', 'not signed when drawn: a release of 0.1.0');
      this.is('agrees', name, 'spec.accountant', spec.accountant, body.accountant);
      await this.step(name, 'spec.certificate', () => this.certificate(name, spec, 'spec.'));
      await this.step(name, 'P1: amount', () => {
        const amount = Check.amounts(body), prices = spec.certificate
          ? Check.price(spec.certificate.loss, spec.accountant) : [[0n, 0n, 0n]];
        const right = prices.find((price) => same(price, amount));
        this.say(right ? 'holds' : 'false', name, 'P1: amount', right ? ''
          : `states ${amount}, the certificate costs ${prices[0]} units`);
      });
      await this.step(name, 'drawn', () => this.drawn(name, spec, drawn));
      this.say('not checked', name, 'spec.request, labels, attributes, unit',
        'of the service: bound by the hash of spec, and by the registration in a ledger');
    });
  }

  /** on_simplex from noisy, where a rule is given. */
  drawn(name, spec, drawn) {
    const { event } = spec;
    if (event === null || event.event === 'linear') {
      const rows = event === null ? 0 : event.rows.length, list = Array.isArray(drawn) ? drawn : drawn.noisy ?? [];
      this.is('agrees', name, 'drawn: one number for each row', BigInt(list.length), BigInt(rows));
      return;
    }
    if (event.event === 'margins' || event.event === 'blocks') {
      this.is('agrees', name, 'drawn: one list for each margin', BigInt(drawn.noisy.length),
        BigInt((event.margins ?? event.blocks.flat()).length));
      return;
    }
    const n = event.n === undefined || event.n === null ? null : event.n, y = drawn.noisy, zero = (x) =>
      (x > 0n ? x : 0n);
    y.forEach((each) => { if (typeof each !== 'bigint') refuse('noisy has a number that is not whole'); });
    const sum = (list) => list.reduce((a, b) => a + b, 0n);
    let found;
    if (event.event === 'private_size') found = y.map(zero);
    else if (event.event === 'exponential') found = y;
    else if (event.event === 'laplace') {
      let left = n;
      found = y.map((each) => { const kept = zero(each) < left ? zero(each) : left; left -= kept; return kept; });
      found.push(left);
    } else if (y.every((each) => each >= 0n) && sum(y) === n) found = y;
    else {
      const at = (t) => y.map((each) => zero(each - t));
      let low = y.reduce((a, b) => (a < b ? a : b)) - n - 1n, high = y.reduce((a, b) => (a > b ? a : b)) + 1n;
      while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (sum(at(middle)) >= n) low = middle; else high = middle;
      }
      found = at(low);
      const order = found.map((each, i) => i).sort((a, b) =>
        (found[b] > found[a] ? 1 : found[b] < found[a] ? -1 : a - b));
      order.slice(0, Number(sum(found) - n)).forEach((i) => { found[i] -= 1n; });
    }
    this.is('holds', name, 'drawn.on_simplex', drawn.on_simplex, found);
  }

  async release(item) {
    const { name, value, kind, text } = item;
    item.covered = false;
    if (kind === 'public') {
      await this.step(name, 'signature', async () => {
        const mark = ',"signature":{', cut = text.lastIndexOf(mark),
          tail = text.slice(cut + mark.length - 1).replace(/[ \t\r\n]+$/, '');
        if (cut < 0) refuse('it has no signature');
        const object = parse(tail.slice(0, -1));
        if (`${canonical(object)}}` !== tail) refuse('after the cut stands more or other than the signed object');
        const body = await this.signed(name, 'signature', object, 'release signature 1');
        if (!body) return;
        this.is('holds', name, 'signature.body.sha256: all bytes', body.sha256, await sha256(`${text.slice(0, cut)}}`));
        this.is('holds', name, 'signature.body.release_id', body.release_id, value.id);
        item.covered = true;
      });
    } else {
      const body = await this.signed(name, 'receipt', value.receipt, 'receipt 1');
      if (body) {
        item.receipt = body;
        for (const [member, own] of [['release_id', 'id'], ...['dataset_id', 'budget_id', 'principal_id'].map((each) =>
          [each, each])]) this.is('agrees', name, `receipt: ${own}`, value[own], body[member]);
        await this.step(name, 'receipt: created_at', () => this.is('agrees', name, 'receipt: created_at',
          seconds(value.created_at), body.at));
        await this.step(name, 'receipt: amount', () => this.is('agrees', name, 'receipt: amount',
          Check.amounts(value.standalone_cost ?? value.charged).map(String), Check.amounts(body).map(String)));
      }
      const outcomes = this.found.filter((each) => each.kind === 'signed' && each.body?.release_id === value.id &&
        'answer_sha256' in each.body);
      const evidence = this.found.filter((each) => each.kind === 'evidence' && each.body?.release_id === value.id);
      const inserted = /^\{"kind":"(\w+)",/.exec(text), hashes = [await sha256(item.bytes)];
      if (inserted) hashes.push(await sha256(`{${text.slice(inserted[0].length)}`));
      for (const { name: other, body: { answer_sha256: stated } } of [...outcomes, ...evidence]) {
        if (stated !== hashes[1]) item.covered = this.is('holds', name, `all bytes, by answer_sha256 of ${other}`, stated,
          hashes[0]) || item.covered;
        else {
          item.covered = true;
          this.say('holds', name, `all bytes but "kind", by answer_sha256 of ${other}`, 'inserted by 0.3.0 or later');
          this.is('agrees', name, 'kind', value.kind, 'answers' in value ? 'queries'
            : value.event?.event === 'margins' ? 'margins' : 'counts');
        }
      }
    }
    await this.step(name, 'certificate', () => this.certificate(name, value));
    if (value.posterior) await this.step(name, 'posterior', () => this.posterior(name, value));
    if (value.event && 'n' in value.event) this.is('agrees', name, 'record_count', value.record_count, value.event.n);
    if (value.event && 'm' in value.event) await this.step(name, 'category_count', () => this.is('agrees', name,
      'category_count', value.category_count, cellsOf(value.event)));
    if (!item.covered) {
      const some = Object.keys(value).filter((each) => !['receipt', 'signature'].includes(each));
      this.lacks(name, `all bytes: ${some.join(', ')}`, kind === 'paid'
        ? 'bytes without an answer signature (GET /v1/releases/{id}/signature)'
        : 'bytes without a signature that holds');
    } else {
      const figures = ['tables', 'answers', 'covariance', 'posterior.categories[].naive_interval',
        'remaining_after'].filter((each) => each.split('.')[0] in value);
      if (figures.length) this.say('not checked', name, figures.join(', '), 'signed, and computed by the service');
    }
  }

  posterior(name, value) {
    const { concentration, released_counts: released, noisy_counts: noisy, categories } = value.posterior;
    this.is('holds', name, 'posterior.concentration', concentration.map(Number),
      value.prior.map((each, i) => Number(each) + Number(released[i])));
    this.drawn(name, value, { noisy, on_simplex: released });
    const total = concentration.reduce((so, each) => so + Number(each), 0), near = (a, b) =>
      Math.abs(Number(a) - b) <= 1e-9 * Math.abs(b);
    const wrong = categories.findIndex((each, i) => {
      const a = Number(concentration[i]);
      return !near(each.mean, a / total) || !near(each.standard_deviation,
        Math.sqrt(a * (total - a) / (total * total * (total + 1)))) || (value.labels
          && !value.event.merged && each.label !== value.labels[i]);
    });
    this.say(wrong < 0 ? 'holds' : 'false', name, 'posterior.categories: label, mean, standard_deviation', wrong < 0
      ? '' : `category ${wrong} differs`);
  }

  /** Spec and drawn of evidence against a release, by the table in *Evidence*. */
  async compare(release, evidence) {
    const { name, value } = release, { spec, drawn, body } = evidence, file = `${name} and ${evidence.name}`;
    await this.step(file, 'release and evidence', async () => {
      const pairs = [['id', body.release_id], ['dataset_id', body.dataset_id], ['budget_id', body.budget_id]];
      for (const each of ['labels', 'attributes', 'records_per_unit', 'event']) if (each in value) pairs.push([each,
        spec[each] ?? null]);
      if (spec.certificate) pairs.push(['certificate', { ...spec.certificate, unit: spec.unit }],
        ['certified', spec.certificate.loss]);
      if ('prior' in value) pairs.push(['prior', spec.request.prior]);
      for (const [member, expected] of pairs) {
        const stated = value[member] ?? null;
        if (member === 'certified' && !('certified' in value)) continue;
        this.is('agrees', file, member, isObject(stated) ? { ...stated } : stated, isObject(expected) ? { ...expected }
          : expected);
      }
      this.is('agrees', file, 'created_at', seconds(value.created_at), body.at);
      const charged = value.standalone_cost ?? value.charged;
      this.is('agrees', file, 'charged', Check.amounts(charged).map(String), Check.amounts(body).map(String));
      this.is('agrees', file, 'charged.accountant', charged.accountant, body.accountant);
      if (value.posterior) {
        this.is('agrees', file, 'posterior.noisy_counts', value.posterior.noisy_counts, drawn.noisy);
        this.is('agrees', file, 'posterior.released_counts', value.posterior.released_counts, drawn.on_simplex);
      } else if (['margins', 'blocks'].includes(spec.event?.event)) this.is('agrees', file, 'measured',
        value.measured.map((each) => each.noisy_counts), drawn.noisy);
      if (release.receipt) {
        const receipt = release.receipt;
        this.is('agrees', file, 'receipt.spec_sha256', receipt.spec_sha256, body.spec_sha256);
        this.is('agrees', file, 'receipt.sequence, chain_hash', [receipt.sequence, receipt.chain_hash],
          [body.sequence, body.chain_hash]);
      }
    });
  }

  async ledger(item) {
    const { name } = item, last = item.lines[item.lines.length - 1], entries = item.lines.slice(0, -1);
    const body = await this.signed(name, 'head', last, 'head 1');
    await this.step(name, 'ledger', async () => {
      const budget = entries[0].budget_id, spent = [0n, 0n, 0n], grants = new Map(), charged = new Set(),
        closed = new Set(), deleted = new Set(), sets = new Map();
      let previous = await sha256(netstrings(['private-posterior ledger genesis 1', budget])), limit = null,
        frozen = false;
      const faults = new Map(), bad = (rule, entry, detail = '') =>
        { if (!faults.has(rule)) faults.set(rule, `entry ${entry.sequence} ${detail}`.trim()); };
      const add = (sum, amount) => amount.forEach((each, i) => { sum[i] += each; });
      const above = (sum, cap) => sum.some((each, i) => each > cap[i]);
      item.entries = new Map();
      for (const [i, entry] of entries.entries()) {
        if (!same(Object.keys(entry).sort(), ['amount', 'budget_id', 'created_at', 'detail', 'hash', 'kind',
          'previous_hash', 'principal_id', 'sequence',
          'subject_id'])) refuse(`entry ${i + 1} has other members than its format`);
        const { kind, detail, subject_id: subject } = entry, amount = Check.amounts(entry.amount);
        const counted = entry.amount.accountant === 'basic' ? ['accountant', 'delta', 'epsilon']
          : ['accountant', 'delta', 'rho'];
        if (!same(Object.keys(entry.amount).sort(), counted) ||
          entry.amount.accountant !== entries[0].amount.accountant) bad('amounts are of one accountant', entry);
        const hash = await sha256(netstrings(['private-posterior ledger entry 1', entry.previous_hash, entry.budget_id,
          entry.sequence, kind, ...amount, entry.principal_id, subject, canonical(detail), seconds(entry.created_at)]));
        if (hash !== entry.hash) bad('hashes of entries', entry, `states ${shown(entry.hash)}, found ${hash}`);
        if (entry.previous_hash !== previous || entry.sequence !== BigInt(i + 1) ||
          entry.budget_id !== budget) bad('chain and sequence', entry);
        previous = entry.hash;
        if ((kind === 'budget_opened') !== (i === 0)) bad('budget_opened is the first entry, and only that', entry);
        if (kind === 'budget_opened' || kind === 'budget_changed') limit = amount;
        if (SPENDING.includes(kind)) add(spent, amount);
        if (kind === 'budget_changed' || (CHARGES.includes(kind) && amount.some((each) => each))) if (above(spent,
          limit)) bad('spent is within the limit', entry, `spent ${spent} of ${limit} units`);
        if (kind === 'grant_opened' || kind === 'grant_changed') grants.set(subject,
          { cap: amount, spent: grants.get(subject)?.spent ?? [0n, 0n, 0n] });
        if (kind === 'grant_closed') closed.add(subject);
        if (kind === 'grant_reopened') closed.delete(subject);
        if (kind === 'budget_frozen') frozen = true;
        if (kind === 'budget_unfrozen') frozen = false;
        if (kind === 'dataset_deleted') deleted.add(subject);
        if (kind === 'dataset_registered' || kind === 'dataset_replaced') sets.set(subject,
          { ...detail, owner: kind === 'dataset_registered' ? entry.principal_id : sets.get(subject)?.owner });
        if (CHARGES.includes(kind) || kind === 'receipt_reconciled') {
          if (charged.has(subject)) bad('a release is charged once', entry, subject);
          charged.add(subject);
          const grant = detail.grant_id ? grants.get(detail.grant_id) : null;
          if (detail.grant_id && !grant) bad('charges name a grant that was opened', entry, detail.grant_id);
          if (grant) add(grant.spent, kind === 'query_charged' ? detail.granted.map((each) => whole(each)) : amount);
          if (grant && CHARGES.includes(kind) && above(grant.spent, grant.cap)) bad('a grant is within its cap', entry,
            detail.grant_id);
          item.entries.set(subject, entry);
        }
        if (kind === 'receipt_reconciled') {
          const receipt = await this.signed(name, `receipt of entry ${entry.sequence}`, detail.receipt, 'receipt 1');
          if (receipt && (receipt.release_id !== subject || !same(Check.amounts(receipt), amount))) {
            bad('reconciled receipts state release and amount of their entries', entry);
          }
        }
        if (CHARGES.includes(kind)) {
          const set = sets.get(detail.dataset_id);
          if (frozen || deleted.has(detail.dataset_id) ||
            closed.has(detail.grant_id)) bad('no charge of a frozen budget, a deleted data set or a closed grant',
            entry);
          if (!set || set.commitment !== detail.commitment) bad('commitments of charges are those of the registration',
            entry);
          if (set && set.owner !== detail.owner_id) bad('owner_id of charges is that of the registration', entry);
        }
      }
      const rules = ['hashes of entries', 'chain and sequence', 'amounts are of one accountant',
        'budget_opened is the first entry, and only that', 'spent is within the limit', 'a grant is within its cap',
        'charges name a grant that was opened', 'a release is charged once',
        'reconciled receipts state release and amount of their entries',
        'no charge of a frozen budget, a deleted data set or a closed grant',
        'commitments of charges are those of the registration', 'owner_id of charges is that of the registration'];
      for (const rule of rules) this.say(faults.has(rule) ? 'false' : 'holds', name, rule, faults.get(rule));
      if (body) this.is('holds', name, 'the head is that of the last entry',
        [body.budget_id, body.sequence, body.chain_hash], [budget, BigInt(entries.length), previous]);
      Object.assign(item, { body, sets, budget, all: entries });
      this.say('holds', name, 'spent',
        `${decimal(spent[0], 9)} ε, ${decimal(spent[1], 18)} δ, ${decimal(spent[2], 12)} ρ`);
    });
  }

  /** Receipts, evidence and heads against a ledger of their budget. */
  async inLedger(item, body, ledger) {
    const file = `${item.name} and ${ledger.name}`;
    await this.step(file, 'ledger', async () => {
      const entry = ledger.all[Number(whole(body.sequence)) - 1];
      if (!entry) { this.lacks(file, 'sequence', 'the export ends before'); return; }
      this.is('agrees', file, 'chain_hash of the sequence', body.chain_hash, entry.hash);
      if (body.kind === 'private-posterior head 1') return;
      const { detail } = entry;
      this.is('agrees', file, 'release_id', body.release_id, entry.subject_id);
      this.is('agrees', file, 'at', body.at, seconds(entry.created_at));
      const amount = entry.kind === 'query_charged' ? detail.alone.map((each) => whole(each))
        : Check.amounts(entry.amount);
      this.is('agrees', file, 'amount', Check.amounts(body).map(String), amount.map(String));
      for (const each of ['commitment', 'dataset_id', 'grant_id', 'key_hash', 'owner_id', 'payload_hash',
        'spec_sha256']) if (each in body) this.is('agrees', file, each, body[each], detail[each] ?? '');
      if ('principal_id' in body) this.is('agrees', file, 'principal_id', body.principal_id, entry.principal_id);
      const set = ledger.sets.get(body.dataset_id), { spec } = item;
      if (!spec || !set) return;
      if (spec.certificate) this.is('agrees', file, 'relation', spec.certificate.relation, set.relation);
      this.is('agrees', file, 'records_per_unit', spec.records_per_unit, set.records_per_unit);
      if (spec.event && 'n' in spec.event) this.is('agrees', file, 'n', spec.event.n, set.record_count ?? null);
      if (spec.event && 'm' in spec.event) this.is('agrees', file, 'm', cellsOf(spec.event), set.category_count);
      const { labels } = spec;
      if (!set.description_sha256) this.say('not checked', file, 'labels, attributes, unit',
        'a registration by 0.1.0 does not bind them');
      else if (!labels && !spec.attributes) this.say('not checked', file, 'description_sha256',
        'the spec has neither labels nor attributes');
      else this.is('holds', file, 'description_sha256', set.description_sha256,
        await sha256(canonical(['private-posterior description 1', labels ?? cells(spec), spec.attributes,
        spec.unit])));
    });
  }

  forks() {
    const places = new Map();
    for (const item of this.found) for (const body of [item.body, item.receipt]) {
      if (!body || !('chain_hash' in body)) continue;
      const place = `${body.budget_id} ${body.sequence}`, other = places.get(place);
      if (!other) places.set(place, { body, item });
      else if (other.body.chain_hash !== body.chain_hash) this.say('false', `${other.item.name} and ${item.name}`,
        'one ledger',
        `a fork: entry ${body.sequence} of ${body.budget_id} has the hashes ${other.body.chain_hash} and `
        + `${body.chain_hash}`);
    }
  }
}

/** Labels of the possible cells in row-major order. */
function cells(spec) {
  const impossible = new Set((spec.event?.impossible ?? []).map(String));
  let all = [[]];
  for (const { levels } of spec.attributes) {
    all = all.flatMap((so) => levels.map((_, i) => [...so, i]));
    if (all.length > 200000) refuse('too many cells');
  }
  return all.filter((each) => !impossible.has(String(each))).map((each) =>
    each.map((level, i) => spec.attributes[i].levels[level]).join(' · '));
}

/** Check files of {name, bytes}. `keyTexts` are public keys, or texts of /v1/public-key, from elsewhere. */
export async function check(files, keyTexts = []) {
  const keys = new Map(), result = new Check(keys, keyTexts.length === 0);
  const learn = async (text) => {
    const value = text.trim().startsWith('{') ? parse(text) : { public_key: text.trim() };
    for (const each of [value, ...(value.earlier ?? [])]) {
      const raw = unbase64(each.public_key, 32) ?? refuse('a public key is not 32 bytes in base64url');
      keys.set((await sha256(raw)).slice(0, 16), await crypto.subtle.importKey('raw', raw, 'Ed25519', false,
        ['verify']));
    }
  };
  for (const text of keyTexts) await learn(text);
  for (const file of files) {
    await result.step(file.name, 'text', async () => {
      if (file.bytes.length > LARGEST) refuse(`it is larger than ${LARGEST} bytes`);
      try { result.found.push(await result.classify(file)); } catch (error) {
        refuse(error instanceof Refused ? error.message : 'it is not UTF-8');
      }
    });
  }
  const each = (kind) => result.found.filter((item) => item.kind === kind);
  if (result.own) for (const item of each('keys')) await result.step(item.name, 'keys', () => learn(item.text));
  for (const item of each('keys')) await result.keysFile(item);
  for (const item of each('signed')) item.body = await result.signed(item.name, 'signature', item.value);
  for (const item of each('evidence')) await result.evidence(item);
  for (const item of [...each('paid'), ...each('public')]) {
    await result.step(item.name, 'release', () => result.release(item));
  }
  for (const item of each('ledger')) await result.ledger(item);
  for (const item of [...each('paid'), ...each('public')]) {
    const evidence = each('evidence').filter((other) => other.spec && other.body?.release_id === item.value.id);
    for (const other of evidence) await result.compare(item, other);
    if (!evidence.length) result.say('not checked', item.name, 'spec and drawn',
      'no evidence (GET /v1/releases/{id}/evidence)');
  }
  for (const item of each('signed').filter((one) => one.body && 'drawn_sha256' in one.body)) {
    for (const other of each('evidence').filter((one) =>
      one.body?.release_id === item.body.release_id)) result.is('agrees', `${item.name} and ${other.name}`,
      'drawn_sha256, answer_sha256', [item.body.drawn_sha256, item.body.answer_sha256],
      [other.body.drawn_sha256, other.body.answer_sha256]);
    if (!each('paid').some((other) => other.value.id === item.body.release_id)) result.lacks(item.name,
      'answer_sha256', 'no paid release with this id');
  }
  for (const ledger of each('ledger').filter((one) => one.all)) {
    for (const item of result.found) for (const body of [item.body, item.receipt]) if (body && item !== ledger &&
      body.budget_id === ledger.budget && 'chain_hash' in body) await result.inLedger(item, body, ledger);
  }
  result.forks();
  return result.lines;
}

const USAGE = `node verify.mjs [--public-key KEY]... FILE...

Checks saved texts of a Private Posterior service line by line: paid and public releases, answer signatures, evidence,
receipts, heads, exported ledgers. Texts of one release or budget are compared with each other.

KEY is the public key of the service in base64url, or a file with the text of /v1/public-key, brought from elsewhere.
Without it, signatures are compared with a text of /v1/public-key among the files.

Exit code: 0 nothing is false, and all that was asked was checked; 1 otherwise; 2 a file cannot be read.
`;

async function main(words) {
  const fs = await import('node:fs'), files = [], keys = [];
  if (!words.length || words.includes('--help')) { process.stdout.write(USAGE); return words.length ? 0 : 2; }
  try {
    for (let i = 0; i < words.length; i += 1) {
      if (words[i] === '--public-key') { i += 1; keys.push(fs.existsSync(words[i]) ? fs.readFileSync(words[i], 'utf8')
        : words[i]); } else files.push({ name: words[i], bytes: new Uint8Array(fs.readFileSync(words[i])) });
    }
    const lines = await check(files, keys);
    process.stdout.write(lines.map(({ word, file, what, detail }) =>
      `${word.padEnd(11)}  ${file}: ${what}${detail ? `: ${detail}` : ''}\n`).join(''));
    return lines.some((line) => line.word === 'false' || line.missing) || !files.length ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

if (typeof process !== 'undefined' && process.versions?.node) {
  const { pathToFileURL } = await import('node:url');
  if (process.argv[1] &&
    import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main(process.argv.slice(2));
}
