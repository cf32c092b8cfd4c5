import { spawnSync } from 'node:child_process';

/** The command of the real one, from version 5 on: `kustomize` itself or the one in kubectl. */
const candidates: readonly { readonly command: readonly string[]; readonly version: readonly string[] }[] = [
  { command: ['kustomize', 'build'], version: ['kustomize', 'version'] },
  { command: ['kubectl', 'kustomize'], version: ['kubectl', 'version', '--client'] },
];

const run = (command: readonly string[]): { readonly ok: boolean; readonly text: string; readonly error: string } => {
  const { status, stdout, stderr } = spawnSync(command[0]!, command.slice(1), {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return { ok: status === 0, text: stdout ?? '', error: stderr ?? '' };
};

/** Output of the real kustomize for a folder; undefined where there is none. */
export const realKustomize = (): ((folder: string) => string) | undefined => {
  const found = candidates.find(({ version }) => /(Kustomize Version: |^)v5\./m.test(run(version).text));
  return (
    found &&
    ((folder) => {
      const { ok, text, error } = run([...found.command, folder]);
      if (!ok) throw new Error(error);
      return text;
    })
  );
};
