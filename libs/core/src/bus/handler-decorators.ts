import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { type BusContext } from './bus-context.js';

/** The method that a handler decorator may stand on; a wrong payload or reply does not compile. */
export type HandlerDecorator<Handled, Reply> = <
  Method extends (payload: Handled, context: BusContext) => Reply | Promise<Reply>,
>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

const onMessage =
  <Handled, Reply>(pattern: MethodDecorator): HandlerDecorator<Handled, Reply> =>
  (target, key, descriptor) => {
    // The framework passes parameters by these two marks; set here, handlers are plain methods of (payload, context).
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    pattern(target, key, descriptor);
  };

/** `@MessagePattern` with types. The typed forms are in `@shardnode/messages`. */
export const requestHandler = <Handled, Reply>(pattern: string): HandlerDecorator<Handled, Reply> =>
  onMessage(MessagePattern(pattern));

/** `@EventPattern` with types. Events are hints: what a handler throws is logged and forgotten. */
export const eventHandler = <Handled>(pattern: string): HandlerDecorator<Handled, void> =>
  onMessage(EventPattern(pattern) as unknown as MethodDecorator);
