import { type AuditValue } from '../../events/audit/audit-rules.js';
import { type CommandStages } from '../commands/command-list.types.js';
import { commandProblems } from '../commands/command-template.js';
import { amountProblems, checkedMinor, toMajor } from '../../lib/money/money.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { present } from '../../domain/errors/change.js';
import { fingerprintOf } from '../../domain/errors/require-version.js';
import { type CreateProductDto } from './dto/create-product.dto.js';
import { type ProductFields } from './dto/product-fields.dto.js';
import { type UpdateProductDto } from './dto/update-product.dto.js';
import { repeatOf } from './product-ownership.js';
import { requirementInWords } from './product-requirements.js';
import { limitInWords } from './purchase-limits.js';
import { NO_TERMS, termProblems } from './selling-terms.js';
import { type Product, type ProductValues, type ProductWithCommands } from './product.types.js';

/** What a shop says about a product, as the API shows it: amounts in major units. */
export type ProductInput = Readonly<WithInstants<ProductFields>>;
export type NewProduct = Readonly<CreateProductDto>;
/** An absent field keeps its value. */
export type ProductChange = Readonly<UpdateProductDto>;

const DEFAULTS: Omit<ProductInput, 'name' | 'price'> = {
  slug: null,
  summary: null,
  description: '',
  label: null,
  metadata: [],
  featured: false,
  compareAtPrice: null,
  imageUrls: [],
  imageIds: [],
  categoryId: null,
  position: 0,
  stock: null,
  maxPerOrder: null,
  maxPerBuyer: null,
  serverIds: [],
  commands: [],
  extendCommands: [],
  upgradeCommands: [],
  takeBackCommands: [],
  expiryCommands: [],
  durationDays: null,
  repeat: null,
  countsAs: null,
  ownedEverywhere: false,
  requiresOnline: false,
  restockOnRefund: false,
  isActive: true,
  ...NO_TERMS,
};

/** Completes the fields of a new product. */
export function completed(input: WithInstants<NewProduct>): ProductInput {
  return { ...DEFAULTS, ...present(input) };
}

/** Returns the prices in major units. */
export function shownPrices({
  priceMinor,
  compareAtPriceMinor,
  currency,
}: Pick<Product, 'priceMinor' | 'compareAtPriceMinor' | 'currency'>): Pick<ProductInput, 'price' | 'compareAtPrice'> {
  const compareAtPrice = compareAtPriceMinor === null ? null : toMajor(compareAtPriceMinor, currency);
  return { price: toMajor(priceMinor, currency), compareAtPrice };
}

/** How many units the API shows. Stored below zero when orders were paid after their units had been released; shown as 0. */
export function shownStock({ stock }: Pick<Product, 'stock'>): number | null {
  return stock === null ? null : Math.max(stock, 0);
}

/** Returns a stored product as the API shows it. The only list of the fields that leave the service. */
export function toInput(product: ProductWithCommands): ProductInput {
  return {
    name: product.name,
    slug: product.slug,
    summary: product.summary,
    description: product.description,
    label: product.label,
    metadata: product.metadata,
    featured: product.featured,
    ...shownPrices(product),
    imageUrls: product.imageUrls,
    imageIds: product.imageIds,
    categoryId: product.categoryId,
    position: product.position,
    stock: shownStock(product),
    maxPerOrder: product.maxPerOrder,
    maxPerBuyer: product.maxPerBuyer,
    serverIds: product.serverIds,
    commands: product.commands,
    extendCommands: product.extendCommands,
    upgradeCommands: product.upgradeCommands,
    takeBackCommands: product.takeBackCommands,
    expiryCommands: product.expiryCommands,
    durationDays: product.durationDays,
    repeat: product.repeat,
    countsAs: product.countsAs,
    ownedEverywhere: product.ownedEverywhere,
    requiresOnline: product.requiresOnline,
    restockOnRefund: product.restockOnRefund,
    isActive: product.isActive,
    availableFrom: product.availableFrom,
    availableUntil: product.availableUntil,
    showBefore: product.showBefore,
    limits: product.limits,
    requires: product.requires,
    excludedBy: product.excludedBy,
  };
}

/** The version of what a shop says about a product. The stock is left out, because orders change it. */
export function productVersion(product: ProductWithCommands): string {
  const { stock: _stock, ...fields } = toInput(product);
  return fingerprintOf(fields);
}

/** The fields of a product in the form of the audit log. */
export function productInWords({
  metadata,
  limits,
  requires,
  ...fields
}: ProductInput): Readonly<Record<string, AuditValue>> {
  const facts = metadata.map(({ name, value }) => `${name}: ${value}`);
  const rules = { limits: limits.map(limitInWords), requires: requirementInWords(requires) };
  return { ...fields, metadata: facts, ...rules };
}

/**
 * Returns what is wrong with a product beyond its single fields, one sentence for each problem.
 * @param currency of the amounts
 */
export function productProblems(product: ProductInput, currency: string): string[] {
  const { price, compareAtPrice, expiryCommands, durationDays } = product;
  const problems = [...amountProblems({ price, compareAtPrice }, currency), ...termProblems(product)];
  if (compareAtPrice !== null && compareAtPrice <= price) problems.push('compareAtPrice must be above price');
  if (expiryCommands.length > 0 && durationDays === null) problems.push('expiryCommands need durationDays');
  if (expiryCommands.length === 0 && durationDays !== null) problems.push('durationDays needs expiryCommands');
  if (product.extendCommands.length > 0 && repeatOf(product) !== 'extend') {
    problems.push('extendCommands need repeat to be extend, or durationDays');
  }
  const stages: Readonly<Record<string, readonly string[]>> = { ...stagesOf(product) };
  const unsafe = Object.entries(stages).flatMap(([stage, templates]) => commandProblems(stage, templates));
  return [...problems, ...unsafe];
}

/** Returns what is stored with a product; its commands are a list of their own. @param product without `productProblems` */
export function toStored(product: ProductInput, currency: string): Omit<ProductValues, 'commandListId'> {
  const {
    price,
    compareAtPrice,
    commands: _commands,
    extendCommands: _extend,
    upgradeCommands: _upgrade,
    takeBackCommands: _takeBack,
    expiryCommands: _expiry,
    ...same
  } = product;
  return {
    ...same,
    priceMinor: checkedMinor(price, currency),
    compareAtPriceMinor: compareAtPrice === null ? null : checkedMinor(compareAtPrice, currency),
  };
}

/** Returns the commands of a product, by stage. */
export function stagesOf({
  commands,
  extendCommands,
  upgradeCommands,
  takeBackCommands,
  expiryCommands,
}: CommandStages): CommandStages {
  return { commands, extendCommands, upgradeCommands, takeBackCommands, expiryCommands };
}
