import { numberOf, textOf } from '../../ui/numbers.ts';
import { type Product } from './queries.ts';

/** The fields of the editor: numbers and lists of lines as they are typed. Their names are those of the API. */
export type ProductValues = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly imageIds: readonly string[];
  readonly commands: string;
  readonly extendCommands: string;
  readonly upgradeCommands: string;
  readonly takeBackCommands: string;
  readonly expiryCommands: string;
  readonly durationDays: string;
  readonly requiresOnline: boolean;
  readonly price: string;
  readonly compareAtPrice: string;
  readonly serverIds: readonly string[];
  readonly categoryId: string;
  readonly stock: string;
  readonly maxPerBuyer: string;
  readonly availableFrom: string | null;
  readonly availableUntil: string | null;
  readonly isActive: boolean;
};

export const NEW_PRODUCT: ProductValues = {
  name: '',
  summary: '',
  description: '',
  imageIds: [],
  commands: '',
  extendCommands: '',
  upgradeCommands: '',
  takeBackCommands: '',
  expiryCommands: '',
  durationDays: '',
  requiresOnline: true,
  price: '',
  compareAtPrice: '',
  serverIds: [],
  categoryId: '',
  stock: '',
  maxPerBuyer: '',
  availableFrom: null,
  availableUntil: null,
  isActive: true,
};

export function valuesOf(product: Product): ProductValues {
  return {
    name: product.name,
    summary: product.summary ?? '',
    description: product.description,
    imageIds: product.imageIds,
    commands: product.commands.join('\n'),
    extendCommands: product.extendCommands.join('\n'),
    upgradeCommands: product.upgradeCommands.join('\n'),
    takeBackCommands: product.takeBackCommands.join('\n'),
    expiryCommands: product.expiryCommands.join('\n'),
    durationDays: textOf(product.durationDays),
    requiresOnline: product.requiresOnline,
    price: textOf(product.price),
    compareAtPrice: textOf(product.compareAtPrice),
    serverIds: product.serverIds,
    categoryId: product.categoryId ?? '',
    stock: textOf(product.stock),
    maxPerBuyer: textOf(product.maxPerBuyer),
    availableFrom: product.availableFrom,
    availableUntil: product.availableUntil,
    isActive: product.isActive,
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The values as the API takes them. */
function requestOf(values: ProductValues): Readonly<Record<keyof ProductValues, unknown>> {
  return {
    ...values,
    summary: values.summary === '' ? null : values.summary,
    commands: linesOf(values.commands),
    extendCommands: linesOf(values.extendCommands),
    upgradeCommands: linesOf(values.upgradeCommands),
    takeBackCommands: linesOf(values.takeBackCommands),
    expiryCommands: linesOf(values.expiryCommands),
    durationDays: numberOf(values.durationDays),
    price: numberOf(values.price),
    compareAtPrice: numberOf(values.compareAtPrice),
    categoryId: values.categoryId === '' ? null : values.categoryId,
    stock: numberOf(values.stock),
    maxPerBuyer: numberOf(values.maxPerBuyer),
  };
}

/** What a request sends: only what differs, so that nothing else is overwritten. */
export function bodyOf(values: ProductValues, before: ProductValues): Readonly<Record<string, unknown>> {
  const [now, then] = [requestOf(values), requestOf(before)];
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(then[name as keyof ProductValues]);
  return Object.fromEntries(Object.entries(now).filter(isChanged));
}
