"""The paper's study: its baselines, its experiments, its tables and figures."""
