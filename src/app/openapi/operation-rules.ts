import { type DocumentRule, type Json, operationsOf, schemasUsedBy } from './api-document.js';

/** Path parameters stand first, in the order of the path: generated methods take them in the order of the document. */
export const inOrderOfPath: DocumentRule = (document) => {
  for (const [path, , operation] of operationsOf(document)) {
    const order = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const isInPath = ({ in: position }: { in: string }): boolean => position === 'path';
    const named = operation.parameters.filter(isInPath);
    named.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
    operation.parameters = [...named, ...operation.parameters.filter((parameter) => !isInPath(parameter))];
  }
};

/** What the optional key of a `@PublicOrKey()` route is for. */
const keyIsFor = (permission: string): string =>
  ` A storefront's server may send a key: with one that has \`${permission}\`, requests count for the key, not for the address.`;

/** An operation without a credential says so: without `security`, generators take what they send elsewhere. */
export const explicitSecurity: DocumentRule = (document) => {
  const events = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));
  for (const operation of [...[...operationsOf(document)].map(([, , one]) => one), ...events]) {
    operation['security'] ??= [];
    const permission = operation['x-key-permission'];
    if (typeof permission === 'string') operation.description += keyIsFor(permission);
  }
};

/**
 * The objects of requests are closed, because another field is a 400. What the service returns may get more fields, so that its objects
 * are open: a generated client that checks a closed one would reject a response of the next version.
 */
export const closedRequests: DocumentRule = (document) => {
  const responses = [...operationsOf(document)].map(([, , operation]) => operation.responses);
  const returned = schemasUsedBy(document, [...responses, document.webhooks] as Json);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const isClosed = schema['type'] === 'object' && !('additionalProperties' in schema) && !returned.has(name);
    if (isClosed) schema['additionalProperties'] = false;
  }
};
