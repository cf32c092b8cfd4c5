import { type CommandInput, CommandFailure } from '../command.js';
import { openDataFolder } from '../network/data-folder.js';
import { openRunningNetwork } from '../network/running-network.js';
import { type OpenedNetwork } from '../network/opened-network.js';
import { openProgress } from '../terminal/progress.js';
import { bytesText, durationText, numberText } from '../terminal/quantities.js';
import { parseWords } from '../words.js';
import { type BlockFileHeader } from './block-file.js';
import { exportBlocks } from './export-blocks.js';
import { importBlocks } from './import-blocks.js';
import { requireSameNetwork } from './same-network.js';
import { verifyBlockFile } from './read-block-file.js';
import { BlockFileWriter } from './write-block-file.js';

const options = {
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
} as const;

const exportOptions = { ...options, 'side-blocks': { type: 'boolean' } } as const;

const openNetwork = (
  { environment }: CommandInput,
  dataDir: string | undefined,
  mayBeNew: boolean,
): Promise<OpenedNetwork> =>
  dataDir === undefined ? openRunningNetwork(environment) : openDataFolder(environment, dataDir, { mayBeNew });

const print = (json: boolean | undefined, result: object, text: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${text}\n`);

/** Runs with a network and always closes it. */
const withNetwork = async <T>(opening: Promise<OpenedNetwork>, run: (network: OpenedNetwork) => Promise<T>) => {
  const network = await opening;
  try {
    return await run(network);
  } finally {
    await network.close();
  }
};

const exportTo = async (network: OpenedNetwork, path: string, sideBlocks: boolean) => {
  const { client, settings } = network;
  const genesis = await requireSameNetwork(client, settings);
  const header: BlockFileHeader = {
    networkId: settings.networkId,
    groups: settings.groups,
    genesis,
    sideBlocks,
    exportedAt: new Date().toISOString(),
  };
  const writer = await BlockFileWriter.create(path, header);
  const progress = openProgress({ title: 'Exporting', unit: 'blocks' });
  try {
    const take = (raw: Uint8Array): Promise<void> => writer.add(raw);
    await exportBlocks({ client, settings, sideBlocks, take, progress: progress.at });
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    progress.end();
  }
  return { blocks: writer.blocks, bytes: writer.bytes };
};

/** `export-blocks FILE` */
export const runExport = async (input: CommandInput): Promise<number> => {
  const words = parseWords(input.words, exportOptions, ['FILE']);
  const started = performance.now();
  const result = await withNetwork(openNetwork(input, words['data-dir'], false), (network) =>
    exportTo(network, words.FILE, words['side-blocks'] ?? false),
  );
  const milliseconds = Math.round(performance.now() - started);
  print(
    words.json,
    { ...result, milliseconds, file: words.FILE },
    `${words.FILE}: ${numberText(result.blocks)} blocks, ${bytesText(result.bytes)}, in ${durationText(milliseconds)}.`,
  );
  return 0;
};

const verified = async (path: string) => {
  const progress = openProgress({ title: 'Checking ', unit: 'bytes' });
  try {
    return await verifyBlockFile(path, progress.at);
  } finally {
    progress.end();
  }
};

const importFrom = async (network: OpenedNetwork, path: string, blocks: number) => {
  const { client, settings } = network;
  const progress = openProgress({ title: 'Importing', unit: 'blocks' });
  try {
    return await importBlocks({ client, settings, path, total: blocks, progress: progress.at });
  } finally {
    progress.end();
  }
};

/** `import-blocks FILE` */
export const runImport = async (input: CommandInput): Promise<number> => {
  const words = parseWords(input.words, options, ['FILE']);
  const { header, blocks } = await verified(words.FILE);
  const started = performance.now();
  const result = await withNetwork(openNetwork(input, words['data-dir'], true), async (network) => {
    const genesis = await requireSameNetwork(network.client, network.settings);
    if (header.networkId !== network.settings.networkId || header.genesis.join() !== genesis.join()) {
      throw new CommandFailure(
        `${words.FILE} is of another network (id ${header.networkId}, first block ${header.genesis[0]?.slice(0, 8)}) than ${network.name} (id ${network.settings.networkId}, first block ${genesis[0]?.slice(0, 8)}). Nothing was imported.`,
      );
    }
    return importFrom(network, words.FILE, blocks);
  });
  const milliseconds = Math.round(performance.now() - started);
  const perSecond = Math.round((result.added * 1000) / Math.max(1, milliseconds));
  print(
    words.json,
    { ...result, blocks, milliseconds, file: words.FILE },
    `${words.FILE}: ${numberText(result.added)} blocks imported, ${numberText(result.known)} known before, in ${durationText(milliseconds)} (${numberText(perSecond)} blocks/s). All groups have them.`,
  );
  return 0;
};
