/**
 * Requests to a group-node. Block bodies, headers and transactions are bytes; hashes and scripts lower-case
 * hexadecimal; amounts (attoCoin, u256) and 64-bit times decimal text; the rest JSON. Request and reply have one type
 * each. The table `groupRequests` has patterns, sender permissions and deadlines; it is cut by area.
 */
import { addressRequests, type AddressRequests } from './address-requests.js';
import { buildingRequests, type BuildingRequests } from './building-requests.js';
import { chainRequests, type ChainRequests } from './chain-requests.js';
import { contractRequests, type ContractRequests } from './contract-requests.js';
import { feedRequests, type FeedRequests } from './feed-requests.js';
import { inspectionRequests, type InspectionRequests } from './inspection-requests.js';
import { nodeRequests, type NodeRequests } from './node-requests.js';
import { transactionRequests, type TransactionRequests } from './transaction-requests.js';
import { requestTable } from './request-definition.js';

export interface GroupRequests
  extends
    ContractRequests,
    FeedRequests,
    NodeRequests,
    ChainRequests,
    TransactionRequests,
    AddressRequests,
    BuildingRequests,
    InspectionRequests {}

export type GroupRequestName = keyof GroupRequests;

export const groupRequests = requestTable<GroupRequests>({
  ...contractRequests,
  ...feedRequests,
  ...nodeRequests,
  ...chainRequests,
  ...transactionRequests,
  ...addressRequests,
  ...buildingRequests,
  ...inspectionRequests,
});
