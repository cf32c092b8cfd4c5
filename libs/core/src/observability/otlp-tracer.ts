import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span as OpenSpan } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { type Span, type SpanStart, type Tracer } from './span.js';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Milliseconds to send pending spans when the process stops. */
const farewell = 2_000;

class OtlpSpan implements Span {
  readonly traceparent: string;
  readonly isSampled: boolean;

  constructor(readonly span: OpenSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    this.isSampled = span.isRecording();
  }

  set(attributes: Parameters<Span['set']>[0]): void {
    this.span.setAttributes(attributes);
  }

  end(failure?: string): void {
    if (failure !== undefined) this.span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    this.span.end();
  }
}

/** The context of a parent. */
const contextOf = (parent: SpanStart['parent']): Context => {
  if (parent === undefined) return ROOT_CONTEXT;
  if (parent instanceof OtlpSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const [, traceId = '', spanId = '', flags = '00'] = (typeof parent === 'string' ? parent : parent.traceparent).split(
    '-',
  );
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, remote);
};

/**
 * Traces over OTLP/HTTP. The libraries read the standard variables of samplers and batches themselves
 * (`OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`, `OTEL_BSP_SCHEDULE_DELAY`, `OTEL_EXPORTER_OTLP_HEADERS`). An
 * unreachable collector only loses spans.
 */
export const createOtlpTracer = (endpoint: string, service: string): Tracer => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter as unknown as SpanExporter)],
  });
  const tracer = provider.getTracer('shardnode');
  return {
    start: ({ name, kind, attributes = {}, parent }) =>
      new OtlpSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent))),
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, farewell).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
};
