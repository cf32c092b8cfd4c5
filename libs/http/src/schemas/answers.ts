import { z } from 'zod';
import { attoAmountField, type Brand } from '../brand/brand.js';
import { blockHashText, hash, hexText, publicKeyText, signatureText, tokenIdText, transactionIdText } from './bytes.js';
import { fields, list, meanings, type Leaf, type Meaning } from './leaf.js';
import { count, gas, groupIndex, hint, int32, uint256 } from './numbers.js';
import { address } from './texts.js';

/** Answers reuse the meaning of what is read, with the type of what is written. */
const text = (leaf: Leaf<unknown>, more: Partial<Meaning> = {}) =>
  z.string().register(meanings, { ...leaf.meaning, ...more });
const number = (leaf: Leaf<unknown>, more: Partial<Meaning> = {}) =>
  z.number().register(meanings, { ...leaf.meaning, ...more });
const flag = (description: string, example: boolean) =>
  z.boolean().register(meanings, { description, example, type: 'boolean' });
const plainText = (description: string, example: string) =>
  z.string().register(meanings, { description, example, type: 'string' });
const time = (description: string, example = 1_611_041_396_892) =>
  z.custom<number | string>().register(meanings, {
    description: `${description}, milliseconds since 1970; a text of digits above 2^53`,
    example,
    oneOf: [{ type: 'integer', format: 'int64' }, { type: 'string' }],
  });
const digits = (description: string, example = '1500000000000000000') => text(uint256, { description, example });

const tagged = <const Tag extends string>(tag: Tag) => {
  const literal = z.literal(tag);
  meanings.add(literal, { description: 'Which form this is', type: 'string', enum: [tag] });
  return literal;
};

const transactionObjects = (brand: Brand) => {
  const token = fields(
    { id: text(tokenIdText), amount: digits("Count of the token's smallest unit") },
    {
      description: 'Amount of a token',
      id: 'Token',
    },
  );
  const tokens = () => list(token, 'tokens');
  const outputReference = fields(
    { hint: number(hint), key: text(hash, { description: 'Key of the output' }) },
    {
      description: 'Names an output; usable in the `utxos` of a build',
      id: 'OutputRef',
    },
  );
  const amountField = () =>
    ({ [attoAmountField(brand)]: digits('Amount in the smallest unit; 10^18 are one coin') }) as {
      attoCoinAmount: z.ZodString;
    };
  const located = () => ({ hint: number(hint), key: text(hash, { description: 'Key of the output, unique' }) });
  const assetParts = () => ({
    ...located(),
    ...amountField(),
    address: text(address),
    tokens: tokens(),
    lockTime: time('When it may be spent; 0: at once', 0),
    message: text(hexText, { description: 'Data of the output, hexadecimal', example: '' }),
  });
  const fixedOutput = fields(assetParts(), { description: 'Output of a transaction', id: 'FixedAssetOutput' });
  const output = z
    .union([
      fields(
        { type: tagged('AssetOutput'), ...assetParts() },
        { description: 'Output of an address', id: 'AssetOutput' },
      ),
      fields(
        { type: tagged('ContractOutput'), ...located(), ...amountField(), address: text(address), tokens: tokens() },
        { description: 'Output of a contract', id: 'ContractOutput' },
      ),
    ])
    .register(meanings, { description: 'Output of an address or of a contract', id: 'Output' });
  return { token, tokens, outputReference, fixedOutput, output };
};

const transactionAnswers = (brand: Brand, groups: number) => {
  const objects = transactionObjects(brand);
  const unsigned = fields(
    {
      txId: text(transactionIdText),
      version: number(int32('Version of the transaction', 0)),
      networkId: number(int32('Network it is for', 4)),
      scriptOpt: text(hexText, { description: 'Serialized script' }).optional(),
      gasAmount: number(gas),
      gasPrice: digits('Smallest units per unit of gas', '100000000000'),
      inputs: list(
        fields(
          {
            outputRef: objects.outputReference,
            unlockScript: text(hexText, { description: 'Serialized unlock script' }),
          },
          { description: 'What is spent', id: 'AssetInput' },
        ),
        'inputs',
      ),
      fixedOutputs: list(objects.fixedOutput, 'outputs'),
    },
    { description: 'Unsigned transaction', id: 'UnsignedTx' },
  );
  const transaction = fields(
    {
      unsigned,
      scriptExecutionOk: flag('False when its script failed: only the fee was taken', true),
      contractInputs: list(objects.outputReference, 'spent outputs of contracts'),
      generatedOutputs: list(objects.output, 'outputs made by the script'),
      inputSignatures: list(text(signatureText), 'signatures'),
      scriptSignatures: list(text(signatureText), 'signatures'),
    },
    { description: 'Transaction as it stands in a block', id: 'Transaction' },
  );
  const chain = () => ({
    fromGroup: number(groupIndex(groups, 'Group of the sender')),
    toGroup: number(groupIndex(groups, 'Group of the receivers')),
  });
  const unsignedBytes = () => text(hexText, { description: 'Serialized unsigned transaction' });
  const gasParts = () => ({
    gasAmount: number(gas),
    gasPrice: digits('Smallest units per unit of gas', '100000000000'),
  });
  return {
    unsigned,
    transaction,
    built: fields(
      { unsignedTx: unsignedBytes(), ...gasParts(), txId: text(transactionIdText), ...chain() },
      { description: 'Transaction to sign: the signature is over `txId`', id: 'BuildTransactionResult' },
    ),
    builtMultisig: fields(
      {
        unsignedTx: unsignedBytes(),
        gasAmount: number(gas).optional(),
        gasPrice: gasParts().gasPrice.optional(),
        txId: text(transactionIdText),
        ...chain(),
      },
      { description: 'Multisig transaction to sign: each signer signs `txId`', id: 'BuildMultisigResult' },
    ),
    submitted: fields(
      { txId: text(transactionIdText), ...chain() },
      { description: 'Accepted transaction', id: 'SubmitTxResult' },
    ),
    decoded: fields(
      { ...chain(), unsignedTx: unsigned },
      { description: 'Decoded transaction', id: 'DecodeUnsignedTxResult' },
    ),
    status: statusAnswer(),
  };
};

const statusAnswer = () => {
  const confirmations = (of: string) => number(count(`Confirmations ${of}`, 1));
  return z
    .union([
      fields(
        {
          type: tagged('Confirmed'),
          blockHash: text(blockHashText),
          txIndex: number(count('Position in the block, from 0', 0)),
          chainConfirmations: confirmations('on the chain of the block'),
          fromGroupConfirmations: confirmations("on the sender's group: 0 until it has referred to the block"),
          toGroupConfirmations: confirmations("on the receiver's group: 0 until it has referred to the block"),
        },
        { description: 'In a block of the main chain', id: 'Confirmed' },
      ),
      fields({ type: tagged('MemPooled') }, { description: 'Waiting to be mined', id: 'MemPooled' }),
      fields(
        {
          type: tagged('TxNotFound'),
          reason: fields(
            {
              code: plainText('Name of the reason', 'TxExpired'),
              detail: plainText('What happened', 'the transaction waited too long'),
              conflictingTxId: text(transactionIdText, {
                description: 'Transaction that spends the same output',
              }).optional(),
            },
            { description: 'Why a transaction that was accepted left unmined; kept for a day', id: 'DropReason' },
          ).optional(),
        },
        { description: 'Neither mined nor waiting', id: 'TxNotFound' },
      ),
    ])
    .register(meanings, { description: 'Status of a transaction', id: 'TxStatus' });
};

const blockAnswers = (transaction: z.ZodType) => {
  const header = () => ({
    hash: text(blockHashText),
    timestamp: time('Timestamp'),
    chainFrom: number(count('Group that the chain comes from', 0)),
    chainTo: number(count('Group that the chain goes to', 1)),
    height: number(count('Height on its chain', 42)),
    deps: list(text(blockHashText), 'hashes of blocks that it depends on'),
  });
  const block = fields(
    {
      ...header(),
      transactions: list(transaction, 'transactions, the coinbase last'),
      nonce: text(hexText, { description: '24 bytes', example: '000000000000000000000000000000000000000000000000' }),
      version: number(int32('Version of the block', 0)),
      depStateHash: text(hash, { description: 'State before the block' }),
      txsHash: text(hash, { description: 'Root over the transactions' }),
      target: text(hexText, { description: 'Target in compact form, 4 bytes', example: '1b032b55' }),
      ghostUncles: list(
        z.unknown().register(meanings, { description: 'Never there', type: 'object' }),
        'nothing; always empty',
      ),
    },
    { description: 'Block', id: 'BlockEntry' },
  );
  const event = z.unknown().register(meanings, { description: 'Event of a contract', type: 'object' });
  const withEvents = fields(
    { block, events: list(event, 'events') },
    { description: 'Block and its events', id: 'BlockAndEvents' },
  );
  const perChain = (item: z.ZodType) => list(list(item, 'blocks of one chain'), 'chains: (0,0), (0,1), ...');
  return {
    block,
    header: fields(header(), { description: 'Header of a block', id: 'BlockHeaderEntry' }),
    blockAndEvents: withEvents,
    blocksPerChain: fields(
      { blocks: perChain(block) },
      { description: 'Blocks of all chains', id: 'BlocksPerTimeStampRange' },
    ),
    blocksAndEventsPerChain: fields(
      { blocksAndEvents: perChain(withEvents) },
      { description: 'Blocks of all chains, with events', id: 'BlocksAndEventsPerTimeStampRange' },
    ),
    inMainChain: flag('Whether the block is on the main chain', true),
    hashes: fields(
      { headers: list(text(blockHashText), 'hashes, main chain first') },
      { description: 'Blocks at a height', id: 'HashesAtHeight' },
    ),
    chainInfo: fields(
      { currentHeight: number(count('Height of the heaviest tip', 42)) },
      { description: 'Chain', id: 'ChainInfo' },
    ),
  };
};

const addressAnswers = (brand: Brand, groups: number) => {
  const { tokens, outputReference } = transactionObjects(brand);
  const hintText = () => plainText('The same for people, exact', `1.5 ${brand.coinSymbol}`);
  return {
    group: fields({ group: number(groupIndex(groups)) }, { description: 'Group of an address', id: 'Group' }),
    balance: fields(
      {
        balance: digits('All outputs of the address, locked ones included'),
        balanceHint: hintText(),
        lockedBalance: digits('The part that is locked now', '0'),
        lockedBalanceHint: hintText(),
        tokenBalances: tokens().optional(),
        lockedTokenBalances: tokens().optional(),
        utxoNum: number(count('Number of outputs', 3)),
      },
      { description: 'Balance of an address', id: 'Balance' },
    ),
    utxos: fields(
      {
        utxos: list(
          fields(
            {
              ref: outputReference,
              amount: digits('Amount in the smallest unit'),
              tokens: tokens().optional(),
              lockTime: time('When it may be spent').optional(),
              additionalData: text(hexText, { description: 'Data of the output' }).optional(),
            },
            { description: 'Unspent output', id: 'UTXO' },
          ),
          'unspent outputs',
        ),
        warning: plainText('There is more: ask for the next page', 'Result might not contains all utxos').optional(),
      },
      { description: 'Unspent outputs of an address', id: 'UTXOs' },
    ),
    multisigAddress: fields(
      { address: text(address) },
      { description: 'Multisig address', id: 'BuildMultisigAddressResult' },
    ),
  };
};

const nodeAnswers = () => ({
  node: fields(
    {
      buildInfo: fields(
        { releaseVersion: plainText('Version', '0.1.0'), commit: plainText('Commit it was built from', 'unknown') },
        { description: 'Build', id: 'BuildInfo' },
      ),
      upnp: flag('Always false', false),
      externalAddress: z.null().register(meanings, { description: 'Always null', type: 'object' }),
    },
    { description: 'This node', id: 'NodeInfo' },
  ),
  version: fields({ version: plainText('Version', 'v0.1.0') }, { description: 'Version', id: 'NodeVersion' }),
  chainParams: fields(
    {
      networkId: number(int32('Network', 4)),
      numZerosAtLeastInHash: number(count('Leading zero bits of the easiest target', 0)),
      groupNumPerBroker: number(count('The same as groups', 4)),
      groups: number(count('Groups of addresses', 4)),
    },
    { description: 'Parameters of the chains', id: 'ChainParams' },
  ),
  selfClique: fields(
    {
      cliqueId: text(publicKeyText, { description: 'Id of this cluster' }),
      nodes: list(
        fields(
          {
            address: plainText('Host', '127.0.0.1'),
            restPort: number(count('Port of this interface', 22_973)),
            wsPort: number(count('Port of the block push', 21_973)),
            minerApiPort: number(count('Port of the mining interface', 20_973)),
          },
          { description: 'Node', id: 'PeerAddress' },
        ),
        'nodes',
      ),
      selfReady: flag('All group-nodes answer', true),
      synced: flag('All group-nodes have caught up', true),
    },
    { description: 'This cluster', id: 'SelfClique' },
  ),
  mined: flag('Always true', true),
  verified: flag('Whether the signature is good', true),
  hashrate: fields(
    { hashrate: digits('Hashes per second', '355255758493400') },
    { description: 'Hash rate', id: 'HashRate' },
  ),
});

/** Wallets: amounts are integers of full precision (protocol 07 §1.8). */
const walletAnswers = (groups: number) => {
  const wallet = () => ({ walletName: plainText('Name of the wallet', 'exchange-hot-1') });
  const figure = () =>
    z.custom<bigint | string>().register(meanings, {
      description: 'Smallest units, an integer of full precision',
      example: 1_500_000_000_000_000,
      type: 'integer',
    });
  const hintText = () => plainText('The same for people, exact', '1.5 COIN');
  const status = () =>
    fields({ ...wallet(), locked: flag('Whether it is locked', false) }, { description: 'Wallet', id: 'WalletStatus' });
  const addressInfo = fields(
    {
      address: text(address),
      publicKey: text(publicKeyText),
      group: number(groupIndex(groups)),
      path: plainText('Derivation path', "m/44'/1234'/0'/0/0"),
    },
    { description: 'Address of a wallet', id: 'AddressInfo' },
  );
  return {
    created: fields(
      { ...wallet(), mnemonic: z.string().register(meanings, { description: 'Words to keep secret', type: 'string' }) },
      { description: 'New wallet', id: 'WalletCreationResult' },
    ),
    restored: fields(wallet(), { description: 'Restored wallet', id: 'WalletRestoreResult' }),
    status: status(),
    list: list(status(), 'wallets, by name'),
    addresses: fields(
      {
        activeAddress: text(address, { description: 'Address that signs and sends' }),
        addresses: list(z.union([text(address), addressInfo]), 'addresses'),
      },
      { description: 'Addresses of a wallet', id: 'Addresses' },
    ),
    addressInfo,
    balances: fields(
      {
        totalBalance: figure(),
        totalBalanceHint: hintText(),
        balances: list(
          fields(
            {
              address: text(address),
              balance: figure(),
              balanceHint: hintText(),
              lockedBalance: digits('The part that is locked now', '0'),
              lockedBalanceHint: hintText(),
            },
            { description: 'Balance of an address of a wallet', id: 'AddressBalance' },
          ),
          'balances',
        ),
      },
      { description: 'Balances of a wallet', id: 'Balances' },
    ),
    signature: fields({ signature: text(signatureText) }, { description: 'Signature', id: 'SignResult' }),
  };
};

export const createAnswerSchemas = (brand: Brand, groups: number) => {
  const transactions = transactionAnswers(brand, groups);
  return {
    ...transactions,
    ...blockAnswers(transactions.transaction),
    ...addressAnswers(brand, groups),
    ...nodeAnswers(),
    wallet: walletAnswers(groups),
    error: fields(
      { detail: plainText('What is wrong, and what to do', 'Wallet is locked') },
      { description: 'Error', id: 'Error' },
    ),
    notFound: fields(
      {
        resource: plainText('What was asked for', 'exchange-hot-1'),
        detail: plainText('Sentence', 'exchange-hot-1 not found'),
      },
      { description: 'Nothing of that name', id: 'NotFound' },
    ),
  };
};

export type AnswerSchemas = ReturnType<typeof createAnswerSchemas>;

type Objects = ReturnType<typeof transactionObjects>;
export type TokenAnswer = z.output<Objects['token']>;
export type AssetOutputAnswer = z.output<Objects['fixedOutput']>;
export type OutputAnswer = z.output<Objects['output']>;
export type UnsignedTransactionAnswer = z.output<AnswerSchemas['unsigned']>;
export type TransactionAnswer = z.output<AnswerSchemas['transaction']>;
export type BlockAnswer = z.output<AnswerSchemas['block']>;
export type BlockHeaderAnswer = z.output<AnswerSchemas['header']>;
export type BalanceAnswer = z.output<AnswerSchemas['balance']>;
export type WalletBalancesAnswer = z.output<AnswerSchemas['wallet']['balances']>;
export type TransactionStatusAnswer = z.output<AnswerSchemas['status']>;
