import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import { type z } from 'zod';
import {
  decodeFailureText,
  groupFailure,
  invalidRequest,
  issuesOf,
  type RequestIssue,
  type RequestPart,
} from '@shardnode/http';
import { ApiSettings } from '../settings/api-settings.js';
import { isObject } from './is-object.js';
import { lockTimeIssues } from './mistaken-times.js';

const parts: Partial<Record<ArgumentMetadata['type'], RequestPart>> = {
  param: 'path parameter',
  query: 'query parameter',
  body: 'body',
};

/** Mistakes found by a schema, until their place is known. */
class SchemaMistakes extends Error {
  constructor(readonly issues: readonly z.core.$ZodIssue[]) {
    super('the request does not fit its schema');
  }
}

/** Parameters that name a group of the network. */
const groupParameters = ['fromGroup', 'toGroup', 'group'];

/**
 * Reads path, query and body by their schemas, `@Body({ schema })` and the like, and reports the wrong fields.
 * @throws ServiceError `InvalidRequest`, with all mistakes of a part of the request
 */
@Injectable()
export class RequestValidationPipe extends StandardSchemaValidationPipe {
  constructor(private readonly settings: ApiSettings) {
    super({ exceptionFactory: (issues) => new SchemaMistakes(issues as readonly z.core.$ZodIssue[]) });
  }

  override async transform<Value>(value: Value, metadata: ArgumentMetadata): Promise<Value> {
    const part = parts[metadata.type];
    if (!part || !metadata.schema) return value;
    try {
      const read: Value = await super.transform(value, metadata);
      if (metadata.type === 'query') this.checkGroups(read);
      if (metadata.type === 'body') this.checkLockTimes(read);
      return read;
    } catch (error) {
      if (!(error instanceof SchemaMistakes)) throw error;
      throw invalidRequest(
        part === 'body' && value === undefined
          ? [{ part, field: '', message: 'is missing' }]
          : issuesOf(part, error.issues, value).map((issue) => this.withGroups(issue)),
        this.settings.profile.errorTexts === 'documented'
          ? decodeFailureText(part, error.issues, value, this.settings.brand)
          : undefined,
      );
    }
  }

  private checkGroups(query: unknown): void {
    const { groups } = this.settings.network;
    if (!isObject(query)) return;
    const issues = groupParameters.flatMap((field): RequestIssue[] => {
      const group = query[field];
      if (typeof group !== 'number' || group < groups) return [];
      const message = `expected a group from 0 to {lastGroup}, received "${group}"`;
      return [this.withGroups({ part: 'query parameter', field, message })];
    });
    const [first] = issues;
    if (!first) return;
    const reason = groupFailure(String(query[first.field]), undefined);
    throw invalidRequest(issues, `Invalid value for: query parameter ${first.field} (${reason})`);
  }

  private checkLockTimes(body: unknown): void {
    if (this.settings.profile.beforeGenesis !== 'refuse') return;
    const issues = lockTimeIssues(body);
    if (issues.length > 0) throw invalidRequest(issues);
  }

  private withGroups(issue: RequestIssue): RequestIssue {
    const lastGroup = String(this.settings.network.groups - 1);
    return { ...issue, message: issue.message.replace('{lastGroup}', lastGroup) };
  }
}
