/** Compiles all hostile sources one after the other, and writes how each ended as a line of JSON. Run as a process of its own. */
import {
  compileAssetScript,
  compileContract,
  CompileError,
  compileProject,
  compileScript,
  formatError,
  parseFieldLiterals,
} from '@shardnode/compiler';
import { hostileSources, type HostileSource, nestedSources } from '@shardnode/testing/hostile-sources';

const operations = {
  script: compileScript,
  contract: compileContract,
  project: compileProject,
  'asset script': compileAssetScript,
  'field literals': parseFieldLiterals,
};

const endingOf = ({ operation, source }: HostileSource): string => {
  try {
    operations[operation](source);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof CompileError)) return `crashed: ${(error as Error).stack}`;
    return `${error.message.slice(0, 100)}${formatError(source, error).endsWith('\n') ? '' : ' without an end'}`;
  }
};

for (const source of [...nestedSources, ...hostileSources]) {
  const before = process.cpuUsage();
  const ending = endingOf(source);
  const { user, system } = process.cpuUsage(before);
  const { name } = source;
  process.stdout.write(
    `${JSON.stringify({ name, characters: source.source.length, ending, milliseconds: Math.round((user + system) / 1000) })}\n`,
  );
}
