import {
  type BlockContext,
  blockBodySteps,
  checkBlockForm,
  type Steps,
  type Verdict,
} from '@shardnode/protocol/validation';
import { isIntraGroup } from '@shardnode/protocol/primitives';
import { type ContractChanges, outputStateKey } from '@shardnode/protocol/state';
import { type Block } from '@shardnode/protocol/block';
import { type GroupMemory } from '../memory/group-memory.js';
import { contractLayer } from '../view/contract-view.js';
import { ownView, type OwnView } from '../view/own-view.js';
import { type ImportItem } from './import-item.js';
import { loadNamedContracts } from './load-contracts.js';
import { importRoles } from '../dag/roles.js';
import { type SignatureChecker } from '../signatures/signatures.js';
import { yieldAfterStep } from '../event-loop/yielding.js';

export interface BlockVerdict {
  readonly verdict: Verdict;
  /** The view on which an own block was judged. */
  readonly view?: OwnView;
  /** Changes of contracts by the scripts of an own intra-group block; meaningless after a refusal. */
  readonly contracts?: ContractChanges;
}

const inputKeys = (block: Block): Uint8Array[] =>
  block.transactions.flatMap(({ unsigned }) => unsigned.inputs.map((input) => outputStateKey(input.outputReference)));

/**
 * Step 2: rules of the body (protocol 03 §6.2): rows 1 to 6 for bodies of in-chains, all rows for own blocks. The
 * inputs are loaded and the signatures of a large block verified first, so that the rules themselves never wait.
 * Between steps it yields to the event loop.
 * @param onFailedScript is given each transaction whose script fails
 */
export const checkBlockRules = async (
  memory: GroupMemory,
  signatures: SignatureChecker,
  item: ImportItem,
  onFailedScript?: BlockContext['onFailedScript'],
): Promise<BlockVerdict> => {
  const { bodyRules } = importRoles[item.role];
  const { block } = item;
  if (bodyRules === 'none' || !block) return { verdict: undefined };
  const { settings, dag, spent } = memory;
  const context = {
    settings,
    reader: dag,
    spent,
    role: bodyRules,
    block,
    verifySignature: signatures.verify,
    onFailedScript,
  };
  await yieldAfterStep(block);
  const form = await memory.loaded(() => checkBlockForm(context));
  if (form || bodyRules === 'incoming') return { verdict: form };
  await yieldAfterStep(block);
  const view = await memory.loaded(() => ownView(memory, block.header.blockDeps));
  await memory.loadKeys(view.state.outputRoot, inputKeys(block));
  const verifySignature = await signatures.verifyAhead(block.transactions, view.view);
  await yieldAfterStep(block);
  if (!isIntraGroup(block.header.chainIndex)) {
    const verdict = await memory.loadedInSteps(() => blockBodySteps({ ...context, view: view.view, verifySignature }));
    return { verdict, view };
  }
  const judge = function* (): Steps<BlockVerdict> {
    // A run that was restarted may have left traces in the layer.
    const contracts = contractLayer(memory, view.state);
    const verdict = yield* blockBodySteps({ ...context, view: view.view, contracts, verifySignature });
    return { verdict, view, contracts: contracts.changes() };
  };
  const release = memory.hold();
  try {
    await loadNamedContracts(memory, block, view);
    return await memory.loadedInSteps(judge);
  } finally {
    release();
  }
};
