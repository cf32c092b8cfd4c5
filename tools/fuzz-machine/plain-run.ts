import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { repository, sourceFlags } from '@shardnode/testing/source-process';

const pathOf = (name: string): string => new URL(name, import.meta.url).href;

const everyEnginePlain = Array<string>(6).fill('noble').join(' ');

/**
 * Runs programs in a separate process without fast engines and compares the results; returns the differences. Throws if
 * that process fails or has fast engines.
 */
export const comparePlainEngines = async (
  seed: number,
  from: number,
  digests: readonly string[],
  onProgram: (done: number) => void = () => undefined,
): Promise<string[]> => {
  const program = fileURLToPath(pathOf('./plain-digests.ts'));
  const child = spawn(
    process.execPath,
    [...sourceFlags, '--import', pathOf('./plain-engines.mjs'), program, ...[seed, from, digests.length].map(String)],
    { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const different: string[] = [];
  let done = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    if (done < 0 && line !== everyEnginePlain) throw new Error(`expected plain engines, got ${line}`);
    if (done >= 0 && line !== digests[done]) {
      different.push(`program ${from + done} of seed ${seed}: another result with plain engines`);
    }
    done += 1;
    if (done > 0) onProgram(done);
  }
  if (done !== digests.length) throw new Error(`${done} of ${digests.length} programs were run with plain engines`);
  return different;
};
