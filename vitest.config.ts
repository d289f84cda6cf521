import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{unit,conformance,integration}/**/*.test.ts"],
    testTimeout: 20_000,
    coverage: { provider: "v8", include: ["schemas/**", "adapters/**", "src/**"] },
  },
});
