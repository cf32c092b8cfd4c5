import { checkBlockBody, checkBlockForm, type Verdict } from '@shardnode/protocol/validation';
import { outputStateKey } from '@shardnode/protocol/state';
import { type Block } from '@shardnode/protocol/block';
import { type GroupMemory } from '../memory/group-memory.js';
import { ownView, type OwnView } from '../view/own-view.js';
import { type ImportItem } from './import-item.js';
import { importRoles } from './roles.js';
import { type SignatureChecker } from './signatures.js';
import { turnAfterStep } from './turns.js';

export interface BlockVerdict {
  readonly verdict: Verdict;
  /** What an own block was judged on. */
  readonly view?: OwnView;
}

const inputKeys = (block: Block): Uint8Array[] =>
  block.transactions.flatMap(({ unsigned }) => unsigned.inputs.map((input) => outputStateKey(input.outputReference)));

/**
 * Step 2: what the body decides (protocol 03 §6.2): rows 1 to 6 for bodies of in-chains, all rows for own blocks. The
 * inputs are loaded and the signatures verified first, so that the rules themselves run without a wait.
 */
export const checkBlockRules = async (
  memory: GroupMemory,
  signatures: SignatureChecker,
  item: ImportItem,
): Promise<BlockVerdict> => {
  const { bodyRules } = importRoles[item.role];
  const { block } = item;
  if (bodyRules === 'none' || !block) return { verdict: undefined };
  const { settings, dag, spent } = memory;
  const context = { settings, reader: dag, spent, role: bodyRules, block, verifySignature: signatures.verify };
  await turnAfterStep(block);
  const form = await memory.loaded(() => checkBlockForm(context));
  if (form || bodyRules === 'incoming') return { verdict: form };
  await turnAfterStep(block);
  const view = await memory.loaded(() => ownView(memory, block.header.blockDeps));
  await memory.loadKeys(view.state.outputRoot, inputKeys(block));
  const verifySignature = await signatures.verifyAhead(block.transactions, view.view);
  await turnAfterStep(block);
  const verdict = await memory.loaded(() => checkBlockBody({ ...context, view: view.view, verifySignature }));
  return { verdict, view };
};
