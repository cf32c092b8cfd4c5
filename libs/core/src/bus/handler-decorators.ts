import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { type BusContext } from './bus-context.js';

/** A method that a handler decorator accepts; a wrong payload or reply does not compile. */
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
    // The framework reads these two marks to pass parameters. With them handlers are plain methods of (payload,
    // context).
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    pattern(target, key, descriptor);
  };

/** `@MessagePattern` with types. The typed forms are in `@shardnode/messages`. */
export const requestHandler = <Handled, Reply>(pattern: string): HandlerDecorator<Handled, Reply> =>
  onMessage(MessagePattern(pattern));

/** `@EventPattern` with types. Events are hints: a handler's error is logged and not passed on. */
export const eventHandler = <Handled>(pattern: string): HandlerDecorator<Handled, void> =>
  onMessage(EventPattern(pattern) as unknown as MethodDecorator);
