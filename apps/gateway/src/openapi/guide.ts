import { developmentValues } from '@shardnode/http';
import { aboutExamples, developmentExamples } from './development-examples.js';

export interface GuideFacts {
  /** Number of groups of the network. */
  readonly groups: number;
  /** `http://127.0.0.1:12973` */
  readonly base: string;
  /** Whether a key is required in `X-API-KEY`. */
  readonly hasApiKey: boolean;
}

const bodyOf = (operation: string): string => JSON.stringify(developmentExamples(0)[operation]?.body);

const firstPayment = ({ base, hasApiKey }: GuideFacts): string => {
  const wallet = 'exchange-hot-1';
  const curl = `curl -s${hasApiKey ? ' -H "X-API-KEY: $API_KEY"' : ''}`;
  const { address } = developmentValues.accounts[0]!;
  return `Four calls on a fresh development network. The node keeps the keys in this one: fit for tests and small sums.

\`\`\`sh
BASE=${base}

# 1. Restore the wallet that has coins
${curl} -X PUT $BASE/wallets -d '${bodyOf('PUT /wallets')}'

# 2. Pay
${curl} -X POST $BASE/wallets/${wallet}/transfer -d '${bodyOf('POST /wallets/{wallet_name}/transfer')}'

# 3. Follow the payment: put the txId of the last answer here
${curl} "$BASE/transactions/status?txId=$TX_ID"

# 4. What the payer has left
${curl} $BASE/addresses/${address}/balance
\`\`\`

With keys of your own: \`POST /transactions/build\`, sign the \`txId\`, \`POST /transactions/submit\`.`;
};

/**
 * Introduction for readers of the page, before the first call; Markdown. Placeholders like `{COIN}` are the brand's.
 */
export const guideOf = (facts: GuideFacts): string => `HTTP interface of a full node of a sharded blockchain.

## Groups

Every address belongs to one of ${facts.groups} groups. Each pair of groups has a chain, so the network has ${facts.groups ** 2} chains: a payment from
group 0 to group 1 is mined on the chain (0,1). All inputs of a transaction are of one group.

## Units

Amounts are texts of decimal digits in the smallest unit: 1 {COIN} is 10¹⁸ attoCoin. Fields that also take \`1.5 {COIN}\` say so.
Times are in milliseconds since 1970.

## Keys

${facts.hasApiKey ? 'Every call wants a key of this API in the header `X-API-KEY`. A key has a role: `read`, `wallets` (reads too) or `operate` (all of it). Each call names the role that it needs.' : 'This API has no key: send no `X-API-KEY`.'}
Transactions are signed with ECDSA on secp256k1, over the 32 bytes of the \`txId\` as they are.

## First payment

${firstPayment(facts)}

## More

- [Guide for exchanges](exchange): deposits, confirmations, withdrawals, each with its traps
- [List of errors](errors): every code with its status, field and next call
- [OpenAPI document](openapi.json): for generators of clients

${aboutExamples}`;
