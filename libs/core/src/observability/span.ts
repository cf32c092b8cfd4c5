/** Attributes of a span: names of routes, subjects, chains, heights. Never data sent by a client. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
type SpanKind = 'server' | 'client' | 'internal';

/** A running span: one step of a trace. */
export interface Span {
  /** Value of the header (W3C Trace Context): `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string;
  /** Whether this trace is sampled. */
  readonly isSampled: boolean;
  set(attributes: SpanAttributes): void;
  /** `failure`: a code or a kind of error, never a text, which may hold data sent by a client. */
  end(failure?: string): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** Parent span, in this process or from a header; absent: starts a trace. */
  readonly parent?: Span | string | undefined;
}

export interface Tracer {
  start(span: SpanStart): Span;
  /** Sends pending spans, for two seconds at most. */
  close(): Promise<void>;
}
