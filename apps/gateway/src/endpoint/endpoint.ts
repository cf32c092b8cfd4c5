import { type z } from 'zod';
import { type EndpointDescription } from '@shardnode/http';
import { plansFor, type Plan, type Plans } from './plans.js';

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A request as its handler gets it: read and checked by the schemas. */
export interface RequestInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** An endpoint is a value: what it takes, what it gives, and how the answer is found (architecture, a request's way). */
export interface Endpoint extends EndpointDescription {
  /** Values of the body are never repeated in an error. */
  readonly hasSecrets?: boolean;
  /** Answers 503 while group-nodes are catching up (protocol 07 §1.13). */
  readonly synced?: boolean;
  readonly plan: Plan<RequestInput<never, never, never>, unknown>;
}

interface Shapes<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
  Answer extends z.ZodType | undefined,
> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Absent: an empty answer. */
  readonly answer?: Answer;
}

/** Text that is JSON already, or its bytes: answers that are made in pieces, or were made before. */
export class JsonText {
  constructor(
    readonly text: string | Buffer,
    /** Told when the text need not be held any more: its client has it, or has gone. */
    readonly onGone?: () => void,
  ) {}
}

export type Answered<Answer> = Answer extends z.ZodType ? z.output<Answer> | JsonText : void;

/** An endpoint whose plan is typed by its schemas. */
export const endpoint = <
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  description: Omit<Endpoint, 'params' | 'query' | 'body' | 'answer' | 'plan'> & Shapes<Params, Query, Body, Answer>,
  plan: (
    plans: Plans<RequestInput<Read<Params>, Read<Query>, Read<Body>>>,
  ) => Plan<RequestInput<Read<Params>, Read<Query>, Read<Body>>, Answered<Answer>>,
): Endpoint => ({ ...description, plan: plan(plansFor()) as unknown as Endpoint['plan'] });
