import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { type Bus } from './bus.js';

/** The framework's client over a Bus. Patterns are whole subjects here; every request has the same deadline. */
export class BusClientProxy extends ClientProxy {
  constructor(
    private readonly bus: Bus,
    private readonly deadlineMs = 5_000,
  ) {
    super();
  }

  override async connect(): Promise<void> {}
  override close(): void {}
  override unwrap<T>(): T {
    throw new Error('the bus has no underlying client to hand out');
  }

  protected override publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    this.bus.request(String(packet.pattern), packet.data, { deadlineMs: this.deadlineMs }).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err, isDisposed: true }),
    );
    return () => undefined;
  }

  protected override async dispatchEvent<T>(packet: ReadPacket): Promise<T> {
    this.bus.publish(String(packet.pattern), packet.data);
    return undefined as T;
  }
}
