import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hostileSources, nestedSources } from '@shardnode/testing/hostile-sources';
import { repository, sourceFlags } from '@shardnode/testing/source-process';

/** MiB of heap that the process may have. */
const heap = 256;
/** A source takes less than 2 s of the processor; a hang takes more than this. */
const mostMilliseconds = 20_000;

interface Line {
  readonly name: string;
  readonly characters: number;
  readonly ending: string;
  readonly milliseconds: number;
}

const program = fileURLToPath(new URL('../compile-hostile-sources.ts', import.meta.url));

describe('hostile sources', () => {
  let lines: Line[] = [];

  beforeAll(() => {
    const { stdout, status, stderr } = spawnSync(
      process.execPath,
      [...sourceFlags, `--max-old-space-size=${heap}`, program],
      { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
    // The source behind the last line is the one that did not end.
    expect({ status, after: lines.at(-1)?.name, stderr: status === 0 ? '' : stderr.slice(0, 1_000) }).toEqual({
      status: 0,
      after: hostileSources.at(-1)!.name,
      stderr: '',
    });
  });

  it(`end within ${heap} MiB, all of them`, () => {
    expect(lines.map(({ name }) => name)).toEqual([...nestedSources, ...hostileSources].map(({ name }) => name));
    expect(lines.filter(({ characters }) => characters > 256_000)).toEqual([]);
  });

  it('are accepted or have an error with its text', () => {
    expect(lines.filter(({ ending }) => /crashed|without an end/.test(ending))).toEqual([]);
  });

  it('take bounded time', () => {
    expect(lines.filter(({ milliseconds }) => milliseconds > mostMilliseconds)).toEqual([]);
    const [slowest] = [...lines].sort((a, b) => b.milliseconds - a.milliseconds);
    if (slowest && slowest.milliseconds > 2_000) console.log(`above 2 s of the processor: ${JSON.stringify(slowest)}`);
  });

  it('may have 200 brackets in each other, of each kind, and not 250', () => {
    const tooDeep = lines.filter(({ ending }) => ending === 'Nesting too deep').map(({ name }) => name);
    const nested = lines.filter(({ name }) => /^\d+ /.test(name));
    expect(tooDeep.filter((name) => name.startsWith('200 '))).toEqual([]);
    const deeper = nested.filter(({ name }) => !name.startsWith('200 ')).map(({ name }) => name);
    expect(deeper.filter((name) => !tooDeep.includes(name))).toEqual([]);
  });
});
