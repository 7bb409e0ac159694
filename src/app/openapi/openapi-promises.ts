import { type OpenAPIObject } from '@nestjs/swagger';
import { type ApiDocument, type DocumentRule } from './api-document.js';
import { namedLists } from './named-lists.js';
import { namedEnvelopes, withoutUndecidedChoices, withoutUnused } from './named-schemas.js';
import { eventsOfShops } from './openapi-webhooks.js';
import { listedErrorCodes } from './error-codes.js';
import { describedResponses } from './responses.js';
import { closedRequests, explicitSecurity, inOrderOfPath } from './operation-rules.js';
import { DESCRIBED_TAGS, TAG_GROUPS } from './tags.js';

/**
 * What the document promises to generators of clients (`docs/api.md`), one rule for each promise. What belongs to one field or one route
 * is not here but in its decorator (`src/http/validation`, `src/http/routes`).
 */
const RULES: readonly DocumentRule[] = [
  eventsOfShops,
  inOrderOfPath,
  explicitSecurity,
  withoutUndecidedChoices,
  namedEnvelopes,
  withoutUnused,
  closedRequests,
  describedResponses,
  listedErrorCodes,
  // Last, because a list that a response has is another than that of a request.
  namedLists,
];

/** Keeps the promises by changing the given document. */
export function keepPromises(document: ApiDocument): OpenAPIObject {
  for (const keep of RULES) keep(document);
  document['tags'] = DESCRIBED_TAGS;
  document['x-tagGroups'] = TAG_GROUPS;
  return document as unknown as OpenAPIObject;
}
