import { currentContext, runInContext } from './request-context.js';
import { type Span, type SpanStart, type Tracer } from './span.js';

export interface TracingSettings {
  /** Base address of a collector, `http://collector:4318`; absent: no tracing, and no tracing library is loaded. */
  readonly endpoint: string | undefined;
  /** `group-node-2` */
  readonly service: string;
}

/** One tracer per process, as there is one log. Set before a service is created, and only with tracing. */
let tracer: Tracer | undefined;

const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Headers from outside are accepted only in this form. */
export const isTraceparent = (text: unknown): text is string => typeof text === 'string' && traceparentForm.test(text);

export const currentTracer = (): Tracer | undefined => tracer;

/** Sends traces of this process to a collector, if one is named. Returns the function that ends tracing. */
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

/** The code of an error, or its class; never its text. */
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
 * Runs the work as a span of the current trace, or of the one that `parent` names. Spans of the work become its
 * children. Without a tracer a plain call, and `start` is not called.
 */
export const traced = <T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> => {
  if (tracer === undefined) return work();
  const around = currentContext();
  const asked = start();
  const span = tracer.start({ ...asked, parent: asked.parent ?? around?.span });
  return endWith(span, runInContext({ requestId: around?.requestId, client: around?.client, span }, work));
};
