import { RecentMap } from '@shardnode/core/cache';
import {
  type BalanceReply,
  type GroupRepliesAtOnce,
  type TransactionDetailsReply,
  type UtxoItem,
} from '@shardnode/messages';
import { assetLockupScriptCodec, flatIndex } from '@shardnode/protocol/primitives';
import { decodeField } from '../requests/request-fields.js';
import { AddressAnswers } from '../view/address-answers.js';
import { balanceOfOutputs } from '../view/address-balance.js';
import { fitting } from '../view/address-pages.js';
import { type NodeReads } from '../view/reads.js';
import { showsBlock } from '../view/view-waiters.js';
import { balanceReply, utxoItem } from './address.js';
import { confirmedReply, detailsReply, recentLocation, type ConfirmedReply } from './transaction.js';

/** Replies about transactions that are kept, and bytes of one: a few megabytes. */
const limits = { replies: 1_000, transactionBytes: 2_048 };

const shown = { included: true } as const;

/** One object for each height, as long as the chain has it. */
const chainReplies = ({ state }: NodeReads): Required<Pick<GroupRepliesAtOnce, 'read.chain.info'>> => {
  const last = new Map<number, { readonly currentHeight: number }>();
  return {
    'read.chain.info': (chain) => {
      const currentHeight = state.memory.published.currentHeight(chain);
      const index = flatIndex(chain, state.settings.groups);
      const known = last.get(index);
      if (known?.currentHeight === currentHeight) return known;
      const reply = { currentHeight };
      last.set(index, reply);
      return reply;
    },
  };
};

type TransactionReplies = Pick<
  GroupRepliesAtOnce,
  'read.transaction.status' | 'read.transaction.details' | 'read.view.includes'
>;

const isSameStatus = (a: ConfirmedReply, b: ConfirmedReply): boolean =>
  a.chainConfirmations === b.chainConfirmations &&
  a.fromGroupConfirmations === b.fromGroupConfirmations &&
  a.toGroupConfirmations === b.toGroupConfirmations;

/** Whether a block is canonical is looked up for each reply; what is kept follows from the block and its index alone. */
const transactionReplies = ({ state }: NodeReads): TransactionReplies => {
  const statuses = new RecentMap<string, ConfirmedReply>(limits.replies);
  const details = new RecentMap<string, TransactionDetailsReply>(limits.replies);
  return {
    'read.transaction.status': (question) => {
      const location = recentLocation(state, question);
      if (!location) return undefined;
      const name = `${location.blockHash}:${location.txIndex}`;
      const reply = confirmedReply(state, location);
      const known = statuses.get(name);
      if (known && isSameStatus(known, reply)) return known;
      statuses.set(name, reply);
      return reply;
    },
    'read.transaction.details': (question) => {
      const location = recentLocation(state, question);
      if (!location) return undefined;
      const name = `${location.blockHash}:${location.txIndex}`;
      const known = details.get(name);
      if (known) return known;
      const block = state.memory.blocks.get(location.blockHash);
      if (!block) return undefined;
      const reply = detailsReply(block, location);
      if (reply.transaction.length <= limits.transactionBytes) details.set(name, reply);
      return reply;
    },
    'read.view.includes': ({ blockHash }) => (showsBlock(state, blockHash) ? shown : undefined),
  };
};

interface UtxosReply {
  readonly utxos: readonly UtxoItem[];
}

const addressReplies = (node: NodeReads): Pick<GroupRepliesAtOnce, 'read.address.balance' | 'read.address.utxos'> => {
  const answers = new AddressAnswers(node);
  const scriptOf = (hex: string) => () => decodeField(assetLockupScriptCodec, hex, 'lockupScript');
  return {
    'read.address.balance': ({ lockupScript, mempool }) =>
      answers.reply<BalanceReply>({
        name: `balance ${mempool} ${lockupScript}`,
        lockupScript: scriptOf(lockupScript),
        pool: mempool,
        replyOf: (outputs, now) => balanceReply(balanceOfOutputs(outputs, now)),
      }),
    'read.address.utxos': ({ lockupScript, offset, limit }) =>
      offset !== undefined || limit !== undefined
        ? undefined
        : answers.reply<UtxosReply>({
            name: `utxos ${lockupScript}`,
            lockupScript: scriptOf(lockupScript),
            pool: true,
            replyOf: (outputs) =>
              fitting(outputs).length < outputs.length ? undefined : { utxos: outputs.map(utxoItem) },
          }),
  };
};

/** The hot reads (architecture, decision 16), as far as memory has their replies; the handlers of the requests do the rest. */
export const repliesAtOnce = (node: NodeReads): GroupRepliesAtOnce => ({
  ...chainReplies(node),
  ...transactionReplies(node),
  ...addressReplies(node),
});
