import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readHistory } from '@shardnode/testing/replay';
import { entriesOfText } from '../../apps/explorer/test/recorded-answers/entries.js';
import { reportLines } from '../../apps/explorer/test/recorded-answers/report.js';
import { compareRecordedAnswers } from '../../apps/explorer/test/recorded-answers/run.js';
import { openTarget } from '../replay/targets.js';

const usage = `npm run explorer:vectors -- HISTORY_DIR ENTRIES.json.gz [--embedded]

Imports the history in HISTORY_DIR (genesis.json, blocks.jsonl.gz) into a node, stage by stage, has the index of an
explorer follow it, asks the requests of the file and compares the answers. Prints equal and different answers of each
operation and the first differences. Exit code 1 on any difference.

  --embedded   four group-nodes over the embedded database instead of a node in memory`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { embedded: { type: 'boolean', default: false } },
  });
  const [folder, file, ...others] = positionals;
  if (folder === undefined || file === undefined || others.length > 0) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const history = readHistory(folder);
  const entries = entriesOfText(gunzipSync(readFileSync(file)).toString('utf8'));
  const node = await openTarget(values.embedded ? 'embedded' : 'memory', history);
  try {
    const results = await compareRecordedAnswers(history, entries, node);
    for (const line of reportLines(results)) say(line);
    return results.some(({ differences }) => differences.length > 0) ? 1 : 0;
  } finally {
    await node.close();
  }
};

process.exitCode = await main();
// Timers of libraries would keep the process alive for seconds.
process.exit();
