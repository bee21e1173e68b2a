package io.jellybridge.checkpoint;

import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.ExternalSorter.Form;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;

/** An addition or deletion of a quad. Operations on the same quad compare as equal. */
record Operation(boolean adds, CanonicalQuad quad) {
    static final Comparator<Operation> BY_LINE = Comparator.comparing(Operation::quad, CanonicalQuad.BY_LINE);

    static final Form<Operation> FORM = new Form<>() {

        @Override
        public long bytes(Operation operation) {
            return Long.BYTES * 2 + CanonicalQuad.FORM.bytes(operation.quad);
        }

        @Override
        public void write(Operation operation, DataOutput out) throws IOException {
            out.writeBoolean(operation.adds);
            CanonicalQuad.FORM.write(operation.quad, out);
        }

        @Override
        public Operation read(DataInput in) throws IOException {
            return new Operation(in.readBoolean(), CanonicalQuad.FORM.read(in));
        }
    };
}
