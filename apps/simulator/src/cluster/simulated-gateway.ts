import { sleep } from '@shardnode/core/lifecycle';
import { type HandedAnswer, type HandedRequest, type RunningService } from '@shardnode/core/service';
import { create, type GatewayConfiguration } from '@shardnode/gateway';
import { type Life, type LifePorts, SimulatedService, type World } from './simulated-service.js';

/** Milliseconds that a stopping gateway waits for the requests in flight. */
const drainLimit = 10_000;

/** No listener, or a killed one: the error of a client's socket. */
class ConnectionLost extends Error {}

/** A gateway that receives requests of its clients without sockets. It has nothing to commit. */
export class SimulatedGateway extends SimulatedService<RunningService> {
  private readonly inFlight = new Set<Promise<unknown>>();
  private draining: Life<RunningService> | undefined;

  constructor(
    private readonly configuration: GatewayConfiguration,
    world: World,
  ) {
    super('gateway', world);
  }

  protected open({ network, clock, logger }: LifePorts): Promise<RunningService> {
    return create(this.configuration, { network, clock, logger });
  }

  /** @throws ConnectionLost */
  async answer(request: HandedRequest): Promise<HandedAnswer> {
    const { life } = this;
    if (!life?.service || life === this.draining) throw new ConnectionLost('nobody listens');
    const answered = life.service.handle(request);
    const known = answered.catch(() => undefined);
    this.inFlight.add(known);
    void known.then(() => this.inFlight.delete(known));
    const cut = life.ended.then(() => {
      throw new ConnectionLost('the connection was reset');
    });
    return Promise.race([answered, cut]);
  }

  /** As a server that has closed its listener: requests in flight are answered. */
  protected override async drain(life: Life<RunningService>): Promise<void> {
    this.draining = life;
    await Promise.race([Promise.all(this.inFlight), sleep(life.clock, drainLimit)]);
  }

  override kill(): void {
    super.kill();
    this.inFlight.clear();
  }
}
