import { decodeBlock, decodeHeader } from '@shardnode/protocol/block';
import { ServiceError } from '@shardnode/core/errors';
import {
  blockForm,
  blockHashText,
  errorOf,
  eventOfBlockForm,
  headerForm,
  int32,
  required,
  type AnswerSchemas,
} from '@shardnode/http';
import { chainOfBlockHash, type BlockReply, type ChainBlocks } from '@shardnode/messages';
import { type z } from 'zod';
import { endpoint, JsonText, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { boundedInterval, intervalQuery } from '../endpoint/interval.js';
import { joinedJson } from '../endpoint/joined-json.js';
import { blockHashPath, chainQuery, path, query } from '../endpoint/parameters.js';

type BlockAnswer = z.output<AnswerSchemas['block']>;

/** Genesis blocks are asked for like any other. */
const stored = { genesis: 'accepted' } as const;

export const blockNotFound = (hash: string): ServiceError =>
  errorOf('BlockNotFound', `There is no block with the hash ${hash} here.`, { resource: `Block ${hash}`, hash });

const blockFormOf = (edge: Edge, { block, height }: Pick<BlockReply, 'block' | 'height'>): BlockAnswer =>
  blockForm(decodeBlock(block, edge.network.groups, stored), height, edge.forms);

const eventsOf = ({ events = [] }: Pick<BlockReply, 'events'>) => events.map(eventOfBlockForm);

/** The group that a block's chain comes from has its body. */
const askForBlock =
  ({ network: { groups } }: Edge) =>
  ({ params: { block_hash: hash } }: { readonly params: { readonly block_hash: string } }) => ({
    group: chainOfBlockHash(hash, groups).from,
    payload: { hash },
  });
const hashOf = ({ params }: { readonly params: { readonly block_hash: string } }): string => params.block_hash;
const missingBlock = ({ params }: { readonly params: { readonly block_hash: string } }): ServiceError =>
  blockNotFound(params.block_hash);

/**
 * A block and a header are named by the hash of their content, and their height follows from it: they never change. The events
 * of a block are another matter: they depend on when the block was executed here.
 */
const blockByHash = (edge: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/blocks/{block_hash}',
      tag: 'Blockflow',
      summary: 'Block by its hash, on the main chain or not',
      params: blockHashPath(),
      answer: edge.answers.block,
      codes: ['BlockNotFound'],
    },
    (plan) =>
      edge.unchanging.planned(
        'block',
        hashOf,
        plan.oneGroup('read.chain.block', {
          ask: askForBlock(edge),
          form: (reply) => blockFormOf(edge, reply),
          missing: missingBlock,
        }),
      ),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/blocks-with-events/{block_hash}',
      tag: 'Blockflow',
      summary: 'Block by its hash, with the events of contracts in it',
      params: blockHashPath(),
      answer: edge.answers.blockAndEvents,
      codes: ['BlockNotFound'],
    },
    (plan) =>
      plan.oneGroup('read.chain.block', {
        ask: (input) => {
          const { group, payload } = askForBlock(edge)(input);
          return { group, payload: { ...payload, withEvents: true } };
        },
        form: (reply) => ({ block: blockFormOf(edge, reply), events: eventsOf(reply) }),
        missing: missingBlock,
      }),
  ),
];

const headerByHash = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/headers/{block_hash}',
      tag: 'Blockflow',
      summary: 'Header by its hash',
      params: blockHashPath(),
      answer: edge.answers.header,
      codes: ['BlockNotFound'],
    },
    (plan) =>
      edge.unchanging.planned(
        'header',
        hashOf,
        plan.oneGroup('read.chain.header', {
          ask: askForBlock(edge),
          form: ({ header, height }) => headerForm(decodeHeader(header, edge.network.groups, stored), height),
          missing: missingBlock,
        }),
      ),
  );

const mainChainQuestions = ({ network: { groups }, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/is-block-in-main-chain',
      tag: 'Blockflow',
      summary: 'Whether a block is on the main chain',
      query: query({ blockHash: required(blockHashText) }),
      answer: answers.inMainChain,
      codes: ['BlockNotFound'],
    },
    (plan) =>
      plan.oneGroup('read.chain.is-canonical', {
        ask: ({ query: { blockHash: hash } }) => ({ group: chainOfBlockHash(hash, groups).from, payload: { hash } }),
        form: ({ isCanonical }) => isCanonical,
        missing: ({ query: { blockHash } }) => blockNotFound(blockHash),
      }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}',
      tag: 'Blockflow',
      summary: 'Belongs to a later upgrade: no block has uncles',
      params: path({ ghost_uncle_hash: required(blockHashText) }),
      answer: answers.block,
      codes: ['BlockNotFound', 'NoGhostUncle'],
    },
    (plan) =>
      plan.oneGroup('read.chain.is-canonical', {
        ask: ({ params: { ghost_uncle_hash: hash } }) => ({
          group: chainOfBlockHash(hash, groups).from,
          payload: { hash },
        }),
        form: ({ isCanonical }, { params: { ghost_uncle_hash: hash } }) => {
          throw noUncle(hash, isCanonical);
        },
        missing: ({ params }) => blockNotFound(params.ghost_uncle_hash),
      }),
  ),
];

const noUncle = (hash: string, isCanonical: boolean): ServiceError => {
  if (isCanonical) {
    return errorOf('NoGhostUncle', `The block ${hash} is of the main chain: it is no uncle of another block.`, {
      hash,
    });
  }
  const resource = `The mainchain block that references the ghost uncle block ${hash}`;
  return errorOf('BlockNotFound', `No block of the main chain has the block ${hash} as its uncle.`, { resource });
};

const chainQuestions = ({ network: { groups }, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/hashes',
      tag: 'Blockflow',
      summary: 'Hashes at a height of a chain, main chain first',
      query: query({ ...chainQuery(groups), height: required(int32('Height', 42), { 'x-unit': 'blocks' }) }),
      answer: answers.hashes,
    },
    (plan) =>
      plan.oneGroup('read.chain.hashes', {
        ask: ({ query: { fromGroup: from, toGroup: to, height } }) => ({ group: from, payload: { from, to, height } }),
        form: ({ hashes }) => ({ headers: [...hashes] }),
      }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/chain-info',
      tag: 'Blockflow',
      summary: 'Height of a chain',
      query: query(chainQuery(groups)),
      answer: answers.chainInfo,
    },
    (plan) =>
      plan.oneGroup('read.chain.info', {
        ask: ({ query: { fromGroup: from, toGroup: to } }) => ({ group: from, payload: { from, to } }),
        form: ({ currentHeight }) => ({ currentHeight }),
      }),
  ),
];

/** Lists of the chains (0,0), (0,1), ...; each by ascending height. */
const perChain = async (
  edge: Edge,
  replies: readonly { readonly chains: readonly ChainBlocks[] }[],
  textOf: (block: BlockAnswer, stored: ChainBlocks['blocks'][number]) => string,
): Promise<string> => {
  const { groups } = edge.network;
  const texts = Array.from({ length: groups * groups }, () => '[]');
  for (const { from, to, blocks } of replies.flatMap(({ chains }) => chains)) {
    texts[from * groups + to] = await joinedJson(blocks, (block) => textOf(blockFormOf(edge, block), block));
  }
  return `[${texts.join(',')}]`;
};

const blocksOfInterval = (edge: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/blocks',
      tag: 'Blockflow',
      summary: 'Blocks of all chains in an interval',
      query: intervalQuery(),
      answer: edge.answers.blocksPerChain,
      codes: ['InvalidInterval'],
    },
    (plan) =>
      plan.everyGroup('read.chain.blocks', {
        payload: (input) => boundedInterval(edge, input.query),
        merge: async (replies) =>
          new JsonText(`{"blocks":${await perChain(edge, replies, (block) => JSON.stringify(block))}}`),
      }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/blockflow/blocks-with-events',
      tag: 'Blockflow',
      summary: 'Blocks of all chains in an interval, with the events of contracts in them',
      query: intervalQuery(),
      answer: edge.answers.blocksAndEventsPerChain,
      codes: ['InvalidInterval'],
    },
    (plan) =>
      plan.everyGroup('read.chain.blocks', {
        payload: (input) => ({ ...boundedInterval(edge, input.query), withEvents: true }),
        merge: async (replies) => {
          const textOf: Parameters<typeof perChain>[2] = (block, stored) =>
            `{"block":${JSON.stringify(block)},"events":${JSON.stringify(eventsOf(stored))}}`;
          return new JsonText(`{"blocksAndEvents":${await perChain(edge, replies, textOf)}}`);
        },
      }),
  ),
];

/** Protocol 07 §7. */
export const blockflowEndpoints = (edge: Edge): Endpoint[] => [
  ...blocksOfInterval(edge),
  ...blockByHash(edge),
  headerByHash(edge),
  ...mainChainQuestions(edge),
  ...chainQuestions(edge),
];
