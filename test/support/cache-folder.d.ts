export declare const CACHE_FOLDER: string;
