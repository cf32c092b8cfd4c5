import { type Logger } from '@shardnode/core/observability';
import {
  builtReplyDifference,
  type BuiltReplyDifference,
  type BuiltDeployment,
  type BuiltTransaction,
  type GroupClient,
  type GroupRequests,
  serviceError,
  type SweepReply,
} from '@shardnode/messages';
import { type BuildMeasures } from './build-metrics.js';

type Payload<Name extends keyof GroupRequests> = GroupRequests[Name]['request'];
/** Builds of one transaction that follows from its bytes alone. */
type TransactionBuild = 'read.building.transfer' | 'read.building.many-senders' | 'read.building.execute-script';

/**
 * Has group-nodes build transactions, and answers nothing of them that their bytes do not say (docs/security.md): a client
 * signs the id that it is given, and a group-node that is taken over could name that of another transaction.
 */
export class Builds {
  constructor(
    private readonly groups: GroupClient,
    private readonly logger: Logger,
    private readonly measures: BuildMeasures,
  ) {}

  /** @throws ServiceError the refusal of the group; `BuiltTransactionDiffers` */
  async transaction<Name extends TransactionBuild>(
    group: number,
    name: Name,
    payload: Payload<Name>,
  ): Promise<BuiltTransaction> {
    return this.checked(group, await this.groups.request(group, name, payload));
  }

  /** @throws ServiceError as `transaction` */
  async deployment(group: number, payload: Payload<'read.building.deploy-contract'>): Promise<BuiltDeployment> {
    return this.checked(group, await this.groups.request(group, 'read.building.deploy-contract', payload));
  }

  /** @throws ServiceError as `transaction` */
  async sweep(group: number, payload: Payload<'read.building.sweep'>): Promise<SweepReply> {
    const reply = await this.groups.request(group, 'read.building.sweep', payload);
    const { fromGroup, toGroup } = reply;
    for (const transaction of reply.transactions) this.checked(group, { ...transaction, fromGroup, toGroup });
    return reply;
  }

  private checked<Built extends BuiltTransaction>(group: number, built: Built): Built {
    const part = builtReplyDifference(built, this.groups.groups);
    if (part !== undefined) throw this.refusal(group, part);
    return built;
  }

  private refusal(group: number, part: BuiltReplyDifference): Error {
    this.measures.refused(part);
    this.logger.error({ group, part }, 'transaction of a group-node not answered');
    return serviceError(
      'BuiltTransactionDiffers',
      `Sign nothing: group ${group} built a transaction and says something else of it (${part})`,
      { group },
    );
  }
}
