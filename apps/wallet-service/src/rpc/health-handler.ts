import { Controller, Inject } from '@nestjs/common';
import { type ServiceHealth } from '@shardnode/core/service';
import { HandlesWalletRequest } from '@shardnode/messages';

export const HEALTH = Symbol('health of this service');

/** Health for the view of all services; independent of wallets. */
@Controller()
export class HealthHandler {
  constructor(@Inject(HEALTH) private readonly ownHealth: () => Promise<ServiceHealth>) {}

  @HandlesWalletRequest('health')
  health(): Promise<ServiceHealth> {
    return this.ownHealth();
  }
}
