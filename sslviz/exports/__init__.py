"""Results as files: tables, arrays and references, without Streamlit."""
