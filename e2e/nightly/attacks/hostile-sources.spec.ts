import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@shardnode/testing/waiting';
import { apiClient } from '../../kit/api-client.js';
import { besideAttack } from '../../kit/attacks/bystander.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;
}

/** As another client than the bystander. */
const compileAs = async (address: string, network: Network, operation: string, code: string): Promise<Answer> => {
  const api = apiClient(() => network.deployment.baseUrl, 1, {}, address);
  const sent = { body: { code }, timeoutMs: 120_000 };
  const { status, text, headers } = await api.send('POST', `/contracts/compile-${operation}`, sent);
  api.close();
  const detail = status === 200 ? '' : (JSON.parse(text) as { detail: string }).detail;
  return { status, code: headers['x-error-code'] as string | undefined, detail };
};

const times = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join('\n');
const body = (statements: string): string => `Contract Foo() { pub fn f() -> U256 { return ${statements} } }`;

/** Each level doubles the code of those inside it. */
const doubling = (levels: number): string => (levels === 0 ? 'i' : `g(y[${doubling(levels - 1)}])`);
const doublings = (functions: number, levels: number): string => `Contract Foo(mut y: [[U256; 2]; 2]) {
  fn g(pair: [U256; 2]) -> U256 { return pair[0] }
  pub fn s() -> () { y[0][0] = 0 }
  ${times(functions, (i) => `pub fn f${i}(i: U256) -> U256 { return ${doubling(levels)} }`)}
}`;

/** A chain of parents, each of which has the functions of all before it. */
const inheritance = (parents: number): string =>
  `${times(
    parents,
    (i) => `Abstract Contract A${i}() ${i > 0 ? `extends A${i - 1}()` : ''} { pub fn f${i}() -> () {} }`,
  )}\nContract Z() extends A${parents - 1}() {}`;

/** On a machine that has too much else to do, a source that wants 2 s of processor time is given up without having had them. */
const shallow = ['CompileError', 'SourceTooCostly', 'ServerBusy'];

/** Sources that want very much of something, and the codes of their errors; none: they compile. */
const hostile: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['a source of 300 kB', 'contract', 'x'.repeat(300_000), ['InvalidRequest']],
  ['parentheses 100,000 deep', 'contract', body('('.repeat(100_000)), ['CompileError']],
  ['lists 50,000 deep', 'contract', body('['.repeat(50_000)), ['CompileError']],
  ['120,000 additions', 'contract', body(`1${'+1'.repeat(120_000)}`), []],
  ['code that doubles 40 times', 'contract', doublings(1, 40), shallow],
  ['40 functions of a megabyte', 'contract', doublings(40, 14), shallow],
  ['2,800 parents', 'project', inheritance(2_800), shallow],
  ['4,500 contracts', 'project', times(4_500, (i) => `Contract C${i}() { pub fn f() -> U256 { return 1 } }`), []],
  ['a list of 65,535 lists', 'contract', body('[[0; 65535]; 65535][0][0]'), ['CompileError']],
  [
    'structs that double 40 times',
    'project',
    times(40, (i) => `struct S${i} { a: ${i > 0 ? `S${i - 1}` : 'U256'}, b: ${i > 0 ? `S${i - 1}` : 'U256'} }`) +
      '\nContract F() { pub fn f(s: S39) -> () {} }',
    ['CompileError'],
  ],
  ['a comment of 250 kB', 'contract', `//${'x'.repeat(250_000)}`, ['CompileError']],
];

const attackers = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

describeNetwork('attack: sources that take very much to compile', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  }, 120_000);
  afterAll(() => network?.remove());

  it.each(hostile)('%s: an answer or a clear error', async (name, operation, source, codes) => {
    const since = performance.now();
    const answer = await compileAs(attackers[0]!, network, operation, source);
    process.stderr.write(
      `${name}: ${answer.status} ${answer.code ?? ''} after ${(performance.now() - since).toFixed(0)} ms\n`,
    );
    if (codes.length === 0) expect(answer.status).toBe(200);
    else expect(codes).toContain(answer.code);
    if (answer.code === 'SourceTooCostly') expect(answer.detail).toMatch(/^The source was given up, because it/);
  });

  it('many at once of four clients take bounded memory and no time of others', async () => {
    const [, operation, source] = hostile.find(([name]) => name === '2,800 parents')!;
    let answers: Answer[] = [];
    const effect = await besideAttack(network, 'hostile sources', async () => {
      answers = await Promise.all(
        attackers.flatMap((address) => Array.from({ length: 6 }, () => compileAs(address, network, operation, source))),
      );
    });
    const counts: Record<string, number> = {};
    for (const { code = '200' } of answers) counts[code] = (counts[code] ?? 0) + 1;
    process.stderr.write(`${JSON.stringify(counts)}\n`);
    expect(effect.failed).toEqual([]);
    expect(effect.growth).toBeLessThan(700);
    for (const { code } of answers) expect([...shallow, 'TooManyRequests']).toContain(code);
  });

  it('a client that sends one source waits for its turn, not for the sources of others', async () => {
    let answered = 0;
    const sources = attackers.slice(0, 3).flatMap((address) => Array.from({ length: 8 }, () => address));
    const flood = sources.map(async (address) => {
      const { code } = await compileAs(address, network, 'project', inheritance(700));
      answered++;
      expect([undefined, ...shallow]).toContain(code);
    });
    // All sources of the others are there by then.
    await until('the first of the others is answered', () => answered > 0);
    const [since, already] = [performance.now(), answered];
    const answer = await compileAs('127.0.0.9', network, 'contract', body('1'));
    const before = answered - already;
    process.stderr.write(
      `one source beside ${sources.length} of three clients: ${(performance.now() - since).toFixed(0)} ms, ${before} before it\n`,
    );
    expect(answer.status).toBe(200);
    // Two are under way when it comes; then the four clients take turns.
    expect(before).toBeLessThan(sources.length / 2);
    await Promise.all(flood);
  });
});
