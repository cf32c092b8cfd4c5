/** A wrong use of the command: it ends with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const usage = `shardnode-compile [FOLDER | FILE...] [--out DIR] [--watch]

Compiles contracts and scripts (.ral) and writes an artifact for each, as the tools of the public
SDK read it.

  FOLDER       a project, whose sources are in its folder contracts, or a folder of sources
               (default: this folder)
  FILE...      sources, in place of a folder
  --out DIR    folder of the artifacts (default: artifacts in the project)
  --watch      compile again when a source changes, until Ctrl-C
  --help       this text

Exit code: 0 compiled, 1 errors in the sources, 2 wrong use.`;
