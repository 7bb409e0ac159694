import { toMajor } from '../../lib/money/money.js';
import { renderMarkdown } from '../../lib/formats/markdown.js';
import { type ChangedProductDto } from './dto/changed-product.dto.js';
import { type ProductDto } from './dto/product.dto.js';
import { type PublicProductDto } from './dto/public-product.dto.js';
import { WithVersion } from '../../http/responses/with-version.js';
import { productVersion, shownPrices, shownStock, toInput } from './product-input.js';
import { type ListedProduct, type ProductWithCommands } from './product.types.js';
import { productWarnings } from './product-warnings.js';

export function toProductDto(product: ProductWithCommands): ProductDto {
  const { id, description, currency, createdAt } = product;
  return {
    id,
    ...toInput(product),
    descriptionHtml: renderMarkdown(description),
    currency,
    createdAt: createdAt.toISOString(),
  };
}

export function toChangedProduct(product: ProductWithCommands): WithVersion<ChangedProductDto> {
  const dto = { ...toProductDto(product), warnings: productWarnings(product) };
  return new WithVersion(dto, productVersion(product));
}

export function toPublicProductDto(product: ListedProduct): PublicProductDto {
  return {
    id: product.id,
    name: product.name,
    slug: product.slug,
    summary: product.summary,
    description: product.description,
    descriptionHtml: renderMarkdown(product.description),
    label: product.label,
    metadata: product.metadata,
    featured: product.featured,
    ...pricesNow(product),
    currency: product.currency,
    imageUrls: product.imageUrls,
    imageIds: product.imageIds,
    categoryId: product.categoryId,
    position: product.position,
    stock: shownStock(product),
    maxPerOrder: product.maxPerOrder,
    maxPerBuyer: product.maxPerBuyer,
    serverIds: product.serverIds,
    durationDays: product.durationDays,
    requiresOnline: product.requiresOnline,
    availability: product.availability,
    availableFrom: product.availableFrom,
    availableUntil: product.availableUntil,
    limits: product.limits,
    requires: product.requires,
    excludedBy: product.excludedBy,
    tier: product.tier && { groupId: product.tier.group.id, group: product.tier.group.name, rank: product.tier.rank },
  };
}

/** The prices that everybody sees. `compareAtPrice` is not shown together with a sale. */
function pricesNow(
  product: ListedProduct,
): Pick<PublicProductDto, 'price' | 'compareAtPrice' | 'regularPrice' | 'priorPrice' | 'sale'> {
  const { reduction, priorPriceMinor, currency } = product;
  const { price: regularPrice, compareAtPrice } = shownPrices(product);
  const priorPrice = priorPriceMinor === null ? null : toMajor(priorPriceMinor, currency);
  if (reduction === null) return { price: regularPrice, compareAtPrice, regularPrice, priorPrice, sale: null };
  const { name, endsAt } = reduction.sale;
  const sale = { name, endsAt: endsAt?.toISOString() ?? null };
  return { price: toMajor(reduction.priceMinor, currency), compareAtPrice: null, regularPrice, priorPrice, sale };
}

/** The product as its caller may see it: a product without its commands is for the public. */
export function toProductView(product: ProductWithCommands | ListedProduct): ProductDto | PublicProductDto {
  return 'commands' in product ? toProductDto(product) : toPublicProductDto(product);
}

/** As `toProductView`, with the version of what members and their keys see. */
export function toVersionedView(
  product: ProductWithCommands | ListedProduct,
): WithVersion<ProductDto> | PublicProductDto {
  if (!('commands' in product)) return toPublicProductDto(product);
  return new WithVersion(toProductDto(product), productVersion(product));
}
