/** A part of the storefront. A product has at most one. */
export interface Category {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  /** Its part of an address of the storefront; null: none. */
  readonly slug: string | null;
  /** Markdown. */
  readonly description: string;
  /** The category that it is a part of, which is part of none; null: of none. */
  readonly parentId: string | null;
  /** An image that the shop has uploaded; null: none. */
  readonly imageId: string | null;
  /** Its position in the storefront, the smallest first. */
  readonly position: number;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** What a shop writes. */
export type CategoryValues = Pick<Category, 'name' | 'slug' | 'description' | 'parentId' | 'imageId' | 'position'>;
