import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { required, text } from '@shardnode/http';
import { type FindingAnswer, Findings } from '../answers/search.js';
import { Reads } from '../reads/reads.js';
import { findByText } from '../reads/search-reads.js';
import { Operation } from './operation.js';
import { parametersOf } from './parameters.js';

/** Characters; addresses of many keys are the longest texts. */
const longestText = 8_192;
const SearchQuery = parametersOf({
  q: required(
    text('Hash, public key, address, height, or the beginning of a symbol or name', 'ab'.repeat(32), longestText),
  ),
});

/** protocol 08 §5.12 */
@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(private readonly reads: Reads) {}

  @Operation({
    summary: 'Search blocks, transactions, tokens, addresses and contracts by text',
    description: 'At most 10 findings; none is no error.',
    answer: Findings,
  })
  @Get()
  search(@Query({ schema: SearchQuery }) { q }: z.output<typeof SearchQuery>): Promise<FindingAnswer[]> {
    return this.reads.of((snapshot) => findByText(snapshot, q));
  }
}
