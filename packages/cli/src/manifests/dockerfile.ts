// An image for the operator: Node, the installed packages, nothing to build with, a user without rights.
import type { ManifestOptions } from './options.ts';

/** A Dockerfile for a project that has the packages and `@pawl/cli` among its dependencies. */
export function dockerfileOf({ name }: Pick<ManifestOptions, 'name'>, references: readonly string[]): string {
  return `# The image of operator ${name}. Build it in the folder of a package.json that has @pawl/cli and the procedure packages
# among its dependencies, with a lock file next to it:
#
#   docker build --file Dockerfile --tag IMAGE .
FROM node:24-bookworm-slim AS installed
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .

FROM node:24-bookworm-slim
ENV NODE_ENV=production \\
    PAWL_PROCEDURES=${references.map(inImage).join(',')}
WORKDIR /app
COPY --from=installed /app /app
USER 65532:65532
ENTRYPOINT ["node", "/app/node_modules/@pawl/cli/dist/main.js"]
CMD ["run"]
`;
}

/** Paths are those of the build folder: absolute ones have to be written by hand. */
const inImage = (reference: string): string => (reference.startsWith('/') ? `./${reference.split('/').slice(-1)[0] ?? ''}` : reference);
