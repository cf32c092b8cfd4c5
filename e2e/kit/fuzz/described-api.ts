import { type Method } from '../api-client.js';

/** What the description of the API uses of OpenAPI's schemas. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly nullable?: boolean;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Body {
  readonly schema: Schema;
  readonly example?: unknown;
}

/** By media type. */
export type DescribedContent = Readonly<Record<string, Body>>;

export interface DescribedResponse {
  readonly content?: DescribedContent;
  readonly 'x-error-codes'?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An endpoint of the description. */
export interface DescribedEndpoint {
  /** `GET /wallets/{wallet_name}` */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly responses: Operation['responses'];
}

export const endpointsOf = (document: ApiDocument): readonly DescribedEndpoint[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => {
      const method = verb.toUpperCase() as Method;
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json'],
        responses: operation.responses,
      };
    }),
  );

/** Whether its answer has no end. */
export const isEndless = ({ responses }: DescribedEndpoint): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {});

/** A schema itself where another one stands for it. */
export const resolved = (document: ApiDocument, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!);
