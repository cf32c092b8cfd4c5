import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { required, text } from '@shardnode/http';
import { searchedText } from '@shardnode/http/searched-text';
import { type SearchHit, SearchHits } from '../answers/search.js';
import { NamedPlaces } from '../development/named-places.js';
import { Reads } from '../database/reads.js';
import { findByText, mostHits } from '../reads/search-reads.js';
import { Operation } from './operation.js';
import { parametersOf } from './parameters.js';

/** Characters; addresses of many keys are the longest texts. */
const longestText = 8_192;
const SearchQuery = parametersOf({
  q: required(
    text(
      'Hash, public key, address, height, `0/2 1234` for a height of a chain, address of an explorer page, or the beginning of any of these or of a name',
      'ab'.repeat(32),
      longestText,
    ),
  ),
});

/** protocol 08 §5.12 */
@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(
    private readonly reads: Reads,
    private readonly named: NamedPlaces,
  ) {}

  @Operation({
    summary: 'Search blocks, transactions, tokens, addresses and contracts by text',
    description:
      'At most 10 findings; none is no error. Quotes, blanks, hidden characters, schemes, `0x` and group suffixes around are ignored. Ids and addresses are found by 5 characters of their beginning or more.',
    answer: SearchHits,
  })
  @Get()
  async search(@Query({ schema: SearchQuery }) { q }: z.output<typeof SearchQuery>): Promise<SearchHit[]> {
    const wanted = searchedText(q);
    const named = await this.named.find(wanted);
    const found = await this.reads.of((snapshot) => findByText(snapshot, wanted));
    return [...named, ...found].slice(0, mostHits);
  }
}
