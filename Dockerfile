# One image for the app, the Dask scheduler and its workers: compose.yaml gives each its command.
# PIP_INDEX_URL and PIP_EXTRA_INDEX_URL may be given as build arguments, for a mirror or for the
# CPU build of torch, which is much smaller than the default one.
FROM python:3.11-slim
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL

RUN useradd --create-home sslviz \
    && install --directory --owner sslviz --group sslviz /srv/sslviz /data /cache
WORKDIR /srv/sslviz
COPY requirements.txt ./
RUN pip install --no-cache-dir --requirement requirements.txt

COPY --chown=sslviz:sslviz . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable .

# One thread per process: workers use the other cores.
ENV PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 \
    SSLVIZ_DATA=/data SSLVIZ_CACHE=/cache
USER sslviz
# Kernels are kept beside their sources. A processor of another kind compiles them once more.
RUN python -m sslviz.ui.warm_up || echo "The kernels are compiled when they are first used instead."

EXPOSE 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health')"]
CMD ["sslviz", "app", "--server.address", "0.0.0.0", "--server.headless", "true"]
