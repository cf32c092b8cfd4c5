import { currentContext, runInContext } from './request-context.js';

/** What a span says of itself: names of routes, subjects, chains, heights. Never what a client sent. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
type SpanKind = 'server' | 'client' | 'internal';

/** One step of a trace that is under way. */
export interface Span {
  /** As it travels in headers (W3C Trace Context): `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string;
  /** Whether this trace is one of those that are kept. */
  readonly isSampled: boolean;
  set(attributes: SpanAttributes): void;
  /** `failure`: a code or a kind of error, never a text that may hold what a client sent. */
  end(failure?: string): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The step that this one is a part of, here or as it came in a header; absent: it begins a trace. */
  readonly parent?: Span | string | undefined;
}

export interface Tracer {
  start(span: SpanStart): Span;
  /** Sends what it has, for two seconds at most. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** Base address of a collector, `http://collector:4318`; absent: nothing is traced, and no library for it is loaded. */
  readonly endpoint: string | undefined;
  /** `group-node-2` */
  readonly service: string;
}

/** One for the process, as there is one log: set before a service is made, and only when traces are wanted. */
let tracer: Tracer | undefined;

const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Headers from outside are taken only in this form. */
export const isTraceparent = (text: unknown): text is string => typeof text === 'string' && traceparentForm.test(text);

export const currentTracer = (): Tracer | undefined => tracer;

/** Traces of this process go to a collector from now on, where one is named. Gives what ends that. */
export const openTracing = async ({ endpoint, service }: TracingSettings): Promise<() => Promise<void>> => {
  if (endpoint === undefined) return async () => undefined;
  const { createOtlpTracer } = await import('./otlp-tracer.js');
  const opened = createOtlpTracer(endpoint, service);
  tracer = opened;
  return async () => {
    if (tracer === opened) tracer = undefined;
    await opened.close();
  };
};

/** The code that an error carries, or its class: no text of it. */
const failureOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
};

const endWith = async <T>(span: Span, work: Promise<T>): Promise<T> => {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
};

/**
 * Runs the work as a step of the trace under way, or of the one that `parent` names; what it does in turn are parts of it.
 * Without a tracer a plain call. `start` is asked only where there is one.
 */
export const traced = <T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> => {
  if (tracer === undefined) return work();
  const around = currentContext();
  const asked = start();
  const span = tracer.start({ ...asked, parent: asked.parent ?? around?.span });
  return endWith(span, runInContext({ requestId: around?.requestId, span }, work));
};
