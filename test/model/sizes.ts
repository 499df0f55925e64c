// How much a model run explores. Below its least sizes it proves nothing, and fails.

export interface Size {
  /** Of so many catalogs one is explored under the first profile. */
  readonly stride: number;
  /** Of so many of these, one under every other profile. */
  readonly sparser: number;
  /** After so many states an exploration stops. */
  readonly maxStates: number;
  readonly maxPlainStates: number;
  /** Catalogs on which nothing may show in the worlds of the weakened rules. */
  readonly sharp: number;
  /** Catalogs on which a weakened rule is tried. */
  readonly tries: number;
  /** The first of them on which it shows is enough. */
  readonly untilShown: boolean;
  readonly maxWeakenedStates: number;
  readonly leastCatalogs: number;
  readonly leastStates: number;
}

/** Some twenty seconds on two processors. */
export const QUICK: Size = {
  stride: 5,
  sparser: 16,
  maxStates: 1_500,
  maxPlainStates: 5_000,
  sharp: 2,
  tries: 12,
  untilShown: true,
  maxWeakenedStates: 4_000,
  leastCatalogs: 200,
  leastStates: 150_000,
};

/** Every catalog: some minutes on two processors. */
export const FULL: Size = {
  stride: 1,
  sparser: 1,
  maxStates: 1_000,
  maxPlainStates: 100_000,
  sharp: 12,
  tries: 12,
  untilShown: false,
  maxWeakenedStates: 8_000,
  leastCatalogs: 1_000,
  leastStates: 2_000_000,
};
