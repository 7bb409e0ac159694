/** What a visitor wants to buy, as the basket's cookie keeps it: never an email address, and nothing that is agreed to. */
export interface Basket {
  readonly lines: readonly BasketLine[];
  /** The server that the visitor has chosen; null: none. */
  readonly serverId: string | null;
  /** Empty: not entered yet. */
  readonly nickname: string;
  readonly code: string;
}

export interface BasketLine {
  readonly productId: string;
  /** At least 1. */
  readonly quantity: number;
}

export const EMPTY_BASKET: Basket = { lines: [], serverId: null, nickname: '', code: '' };

/** As many as an order may have. */
export const MAX_LINES = 50;
/** Of all lines together. */
export const MAX_PIECES = 1_000;
export const MAX_CODE_LENGTH = 40;

/** How many pieces a basket has. */
export function piecesOf({ lines }: Pick<Basket, 'lines'>): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Sets how many pieces of a product a basket has; 0 removes it. What a basket has no room for is left out. */
export function withQuantity(basket: Basket, productId: string, quantity: number): Basket {
  const others = basket.lines.filter((line) => line.productId !== productId);
  const room = MAX_PIECES - piecesOf({ lines: others });
  const line = { productId, quantity: Math.min(Math.max(0, Math.trunc(quantity)), room) };
  const isNew = others.length === basket.lines.length;
  if (line.quantity === 0 || (isNew && others.length >= MAX_LINES)) return { ...basket, lines: others };
  const lines = isNew ? [...others, line] : basket.lines.map((one) => (one.productId === productId ? line : one));
  return { ...basket, lines };
}

/** Adds pieces of a product to those that are there. */
export function withMore(basket: Basket, productId: string, quantity: number): Basket {
  const before = basket.lines.find((line) => line.productId === productId)?.quantity ?? 0;
  return withQuantity(basket, productId, before + quantity);
}

/** The quantity in a field of a form; null: it is none. */
export function quantityIn(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,4}$/.test(text.trim()) ? Number(text) : null;
}
