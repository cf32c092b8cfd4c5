import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type DayReport, type Surroundings } from './generated-client/day-report.js';
import { describeNetwork } from './kit/deployment.js';
import { startNetwork, type Network } from './kit/network.js';

const here = dirname(fileURLToPath(import.meta.url));
const day = 'exchange-day.ts';

/** Beside the sources, because a client finds its packages from there. */
const workspace = async (): Promise<string> => {
  const parent = join(here, '..', 'node_modules', '.cache');
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'generated-client-'));
};

/** What the compiler says against the files of a folder; their JavaScript lies beside them. */
const compile = (folder: string): string[] => {
  const program = ts.createProgram([join(folder, day)], {
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
    ({ file, start, messageText }) =>
      `${file?.fileName ?? ''}:${file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : ''} ` +
      ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
};

describeNetwork('a client generated from the description of the API', () => {
  let network: Network;
  let folder: string;
  beforeAll(async () => {
    network = await startNetwork();
    folder = await workspace();
  });
  afterAll(async () => {
    await network?.remove();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('compiles under strict', async () => {
    const description = await network.api.get<OpenAPI3>('/docs/openapi.json');
    await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(description)));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await cp(join(here, 'generated-client'), folder, { recursive: true });
    expect(compile(folder)).toEqual([]);
  });

  it("runs the exchange's day", async () => {
    const { exchangeDay } = (await import(pathToFileURL(join(folder, day.replace('.ts', '.js'))).href)) as {
      exchangeDay(surroundings: Surroundings): Promise<DayReport>;
    };
    const deposit = testKeyOfGroup(2);
    const report = await exchangeDay({
      baseUrl: network.deployment.baseUrl,
      mnemonic: network.ready.mnemonic!,
      walletName: 'hot-wallet',
      deposit: { address: deposit.address, publicKey: bytesToHex(deposit.publicKey) },
      signAsCustomer: (txId) => bytesToHex(sign(hexToBytes(txId), deposit.privateKey)),
    });
    expect(report).toEqual({
      activeAddress: network.funded[0]!.address,
      confirmations: expect.any(Number),
      depositedAttoCoin: '3000000000000000001',
      blockHasTransaction: true,
      spentOutput: { hint: expect.any(Number), key: expect.stringMatching(/^[0-9a-f]{64}$/) },
      unspentAfterwards: 1,
      refusal: expect.stringMatching(/^Not enough balance/),
      chains: 16,
    });
    expect(report.confirmations).toBeGreaterThanOrEqual(1);
  });
});
