import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** Beside the sources, because a client finds its packages from there. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/** What the compiler says against the files of a program; their JavaScript lies beside them. */
const compile = (file: string): string[] => {
  const program = ts.createProgram([file], {
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noImplicitReturns: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file: source, start, messageText }) =>
      `${source?.fileName ?? ''}:${source && start !== undefined ? source.getLineAndCharacterOfPosition(start).line + 1 : ''} ` +
      ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
};

/** A program of a folder of its own, over a client that is generated from the description of an API. */
export class StrictClient {
  private constructor(
    private readonly folder: string,
    private readonly program: string,
  ) {}

  /**
   * @param sources folder of the program
   * @param program its file; it imports the types of the API from `./api.js`
   */
  static async generate(description: OpenAPI3, sources: string, program: string): Promise<StrictClient> {
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'generated-client-'));
    await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(description)));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await cp(sources, folder, { recursive: true });
    return new StrictClient(folder, program);
  }

  /** What the compiler says against it; nothing when all is well. */
  compile(): string[] {
    return compile(join(this.folder, this.program));
  }

  /** The module of the compiled program. */
  load<Module>(): Promise<Module> {
    return import(pathToFileURL(join(this.folder, this.program.replace('.ts', '.js'))).href) as Promise<Module>;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
