import { describe, expect, it } from '@jest/globals';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder, readVectorBytes } from '@shardnode/testing/vectors';
import { entriesOfText } from '../recorded-answers/entries.js';
import { reportLines } from '../recorded-answers/report.js';
import { compareRecordedAnswers } from '../recorded-answers/run.js';

const entriesOf = (name: string) => entriesOfText(Buffer.from(readVectorBytes(`explorer/${name}.json`)!).toString());

describe.each(['chain', 'chain-transfers', 'chain-tokens'])('the history %s', (name) => {
  it('gives every recorded answer', async () => {
    const history = readHistory(historyFolder(name));
    const results = await compareRecordedAnswers(
      history,
      entriesOf(name),
      memoryNodeTarget(new MemoryNode(history.settings)),
    );
    const different = results.filter(({ differences }) => differences.length > 0);
    expect(different.length === 0 ? [] : reportLines(results)).toEqual([]);
  });
});
